package rules

import (
	"context"
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"c2bp/frontend"
	"c2bp/frontend/harness"
	"c2bp/frontend/slic/library"
	"c2bp/frontend/slic/syntax"
	"c2bp/internal/testkit"
	"c2bp/source"
	"c2bp/verdict"

	"os"
)

// lib is the rules that come with c2bp.
var lib = library.Builtin()

// auditDriver decides a rule of the library for a driver without main, which gets a harness.
func auditDriver(t *testing.T, rule, text string) *verdict.Result {
	t.Helper()
	set, err := lib.Rule(rule)
	if err != nil {
		t.Fatal(err)
	}
	files, fo, err := frontend.WithHarness(t.Context(), []*source.File{source.NewFile("in.c", []byte(text))}, frontend.Options{}, harness.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := Audit(t.Context(), files, []*syntax.Set{set}, Options{Frontend: fo, Harnessed: true})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// rows returns a line for each row.
func rows(r *verdict.Result) string {
	var b strings.Builder
	for _, s := range r.Sites {
		b.WriteString(strings.TrimSpace(fmt.Sprintf("%s %s %s%s", s.Name, s.Status(), s.Key, s.Reason)) + "\n")
	}
	return b.String()
}

// TestRows: each rule has the row that is true of the program.
func TestRows(t *testing.T) {
	ar, err := txtar.ParseFile("testdata/rows.txtar")
	if err != nil {
		t.Fatal(err)
	}
	var set *syntax.Set
	wanted := map[string]int{}
	for i, f := range ar.Files {
		wanted[f.Name] = i
	}
	for _, f := range ar.Files {
		name, isC := strings.CutSuffix(f.Name, ".c")
		if strings.HasSuffix(f.Name, ".slic") {
			set, err = syntax.Load(source.NewFile(f.Name, f.Data), func(string) (*source.File, error) { return nil, fs.ErrNotExist })
			if err != nil {
				t.Fatal(err)
			}
		}
		if !isC {
			continue
		}
		rules := set
		t.Run(name, func(t *testing.T) {
			r, err := Audit(context.Background(), []*source.File{source.NewFile(f.Name, f.Data)}, []*syntax.Set{rules}, Options{})
			if err != nil {
				t.Fatal(err)
			}
			at := wanted[name+".rows"]
			if got, want := rows(r), string(ar.Files[at].Data); got != want {
				if !*testkit.Update {
					t.Errorf("got\n%swant\n%s", got, want)
				}
				ar.Files[at].Data = []byte(got)
			}
			checkVerdict(t, r)
		})
	}
	if *testkit.Update {
		if err := os.WriteFile("testdata/rows.txtar", txtar.Format(ar), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// checkVerdict checks that the verdict is that of the rows.
func checkVerdict(t *testing.T, r *verdict.Result) {
	t.Helper()
	want, applies := verdict.True, false
	for _, s := range r.Sites {
		switch {
		case s.Failed:
			want = verdict.False
		case s.Open && want == verdict.True:
			want = verdict.Unknown
		}
		applies = applies || !s.Absent
	}
	if !applies {
		want = verdict.Unknown
	}
	if r.Verdict != want {
		t.Errorf("the verdict is %v, want %v", r.Verdict, want)
	}
	if r.Verdict == verdict.False && (r.Trace == nil || len(r.Failures) == 0 || r.Failures[0].Site != r.Failed || !r.Sites[r.Failed].Failed) {
		t.Error("the failure is not that of the trace")
	}
}

// TestLibrary: each rule of the library holds for its good programs, and fails for its bad ones with the key
// and at the line that they name. Ordinarily it looks at one of each, which are others for the next rule.
func TestLibrary(t *testing.T) {
	if len(lib.Names()) == 0 {
		t.Fatal("no rules")
	}
	for i, name := range lib.Names() {
		set, err := lib.Rule(name)
		if err != nil {
			t.Fatal(err)
		}
		examples, err := lib.Examples(name)
		if err != nil {
			t.Fatal(err)
		}
		count := map[bool]int{}
		for _, x := range examples {
			count[x.Bad]++
			if k := (count[x.Bad] + i) % 6; !testkit.Long() && k > 0 {
				continue
			}
			t.Run(name+"/"+x.Name, func(t *testing.T) {
				r, wrong, err := Check(context.Background(), lib, name, set, x)
				if err != nil {
					t.Fatal(err)
				}
				if wrong != "" {
					t.Errorf("%s: %s\n%s", r.Summary(), wrong, rows(r))
				}
			})
		}
		if count[false] < 6 || count[true] < 6 {
			t.Errorf("%s: %d good and %d bad examples; expected 6 of each", name, count[false], count[true])
		}
	}
}

// TestExampleCanFail: an example that violates a rule elsewhere, or by another key, than it says is wrong.
func TestExampleCanFail(t *testing.T) {
	set, err := lib.Rule("spinlock")
	if err != nil {
		t.Fatal(err)
	}
	examples, err := lib.Examples("spinlock")
	if err != nil {
		t.Fatal(err)
	}
	x := examples[len(examples)-1]
	for name, change := range map[string]func(*library.Example){
		"line":  func(x *library.Example) { x.Line++ },
		"key":   func(x *library.Example) { x.Key = "other" },
		"good":  func(x *library.Example) { x.Bad = false },
		"other": func(x *library.Example) { x.Name = examples[0].Name },
	} {
		y := x
		change(&y)
		if _, wrong, err := Check(context.Background(), lib, "spinlock", set, y); err != nil || wrong == "" {
			t.Errorf("%s: %v, nothing is wrong", name, err)
		}
	}
}

// TestAlone: a rule has the same row alone as beside others.
func TestAlone(t *testing.T) {
	const text = "extern void rcu_read_lock(void), rcu_read_unlock(void);\ntypedef struct { int x; } spinlock_t;\n" +
		"extern void spin_lock(spinlock_t *);\nstatic spinlock_t l;\nint main(void) { rcu_read_lock(); spin_lock(&l); rcu_read_unlock(); return 0; }\n"
	var all []*syntax.Set
	alone := ""
	for _, name := range lib.Names() {
		set, err := lib.Rule(name)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, set)
		r, err := Audit(context.Background(), []*source.File{source.NewFile("in.c", []byte(text))}, []*syntax.Set{set}, Options{Frontend: frontend.Options{}})
		if err != nil {
			t.Fatal(err)
		}
		alone += rows(r)
	}
	r, err := Audit(context.Background(), []*source.File{source.NewFile("in.c", []byte(text))}, all, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got := rows(r); got != alone {
		t.Errorf("together\n%salone\n%s", got, alone)
	}
}

// TestTimeout: a rule whose time is over is undecided, and the next one has its turn.
func TestTimeout(t *testing.T) {
	file, err := library.Builtin().File("spinlock", "good.c")
	if err != nil {
		t.Fatal(err)
	}
	begun := 0
	started := func(string) func() { begun++; return func() {} }
	// No time is enough for nothing, whatever the machine.
	r, err := Audit(context.Background(), []*source.File{file}, []*syntax.Set{mustRule(t, "spinlock"), mustRule(t, "mutex")}, Options{Timeout: 1, Started: started})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := rows(r), "spinlock undecided time limit of 1ns for the rule\nmutex does not apply\n"; got != want || begun != 2 {
		t.Errorf("%d rules begun, got\n%swant\n%s", begun, got, want)
	}
}

// mustRule returns the rules in a folder of the library.
func mustRule(t *testing.T, name string) *syntax.Set {
	t.Helper()
	set, err := library.Builtin().Rule(name)
	if err != nil {
		t.Fatal(err)
	}
	return set
}
