package zingcheck

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"c2bp/checker/interleave"
	"c2bp/frontend/zing"
	"c2bp/frontend/zing/zingtest"
	"c2bp/internal/testkit"
	"c2bp/source"
	"c2bp/verdict"
)

// Each archive in testdata has a model in.zing, the verdict with its trace, out/result, and some the graph of
// states, out/dot. A comment "all" asks for all failures.
func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no archives", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			ar, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			opts := Options{Options: interleave.Options{All: strings.Contains(string(ar.Comment), "all failures")}}
			p := load(t, ar.Files[0].Data)
			var text bytes.Buffer
			print(&text, Check(context.Background(), p, opts).Result)
			list := append(ar.Files[:1:1], txtar.File{Name: "out/result", Data: text.Bytes()})
			if strings.Contains(string(ar.Comment), "graph of states") {
				var dot bytes.Buffer
				if err := Dot(context.Background(), &dot, load(t, ar.Files[0].Data), opts); err != nil {
					t.Fatal(err)
				}
				list = append(list, txtar.File{Name: "out/dot", Data: dot.Bytes()})
			}
			got := txtar.Format(&txtar.Archive{Comment: ar.Comment, Files: list})
			if *testkit.Update {
				if err := os.WriteFile(file, got, 0o644); err != nil {
					t.Fatal(err)
				}
			} else if !bytes.Equal(got, txtar.Format(ar)) {
				t.Errorf("%s: came out as\n%s", file, got)
			}
		})
	}
}

func load(t *testing.T, text []byte) *zing.Program {
	t.Helper()
	p, _, err := zing.Load([]*source.File{source.NewFile("in.zing", text)})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// print writes a result, with every part of the trace.
func print(b *bytes.Buffer, r *verdict.Result) {
	fmt.Fprintln(b, r.Summary())
	for _, s := range r.Sites {
		fmt.Fprintf(b, "  %s, %s: %s\n", s.What(), s.Where(), s.Status())
	}
	if r.Trace == nil {
		return
	}
	for _, s := range r.Trace.Steps {
		fmt.Fprintf(b, "state %d, %s, %s:%d: %s%s", s.State, s.Process, s.Pos.File, s.Pos.Line, strings.Repeat("  ", s.Depth), s.Text)
		if s.Origin != "" {
			fmt.Fprintf(b, " [%s]", s.Origin)
		}
		b.WriteByte('\n')
		for _, v := range s.Changes {
			fmt.Fprintf(b, "    %s = %s\n", v.Name, v.Val)
		}
		for _, line := range s.Output {
			fmt.Fprintf(b, "    > %s\n", line)
		}
	}
	for _, p := range r.Trace.Processes {
		fmt.Fprintf(b, "%s %s\n", p.Name, p.Status)
		for _, at := range p.Stack {
			fmt.Fprintf(b, "    %s at %s:%d: %s %v\n", at.Proc, at.Pos.File, at.Pos.Line, at.Text, at.Values)
		}
	}
}

// TestTraces shows the failing runs of all models: each is confirmed, its last state is that of the failure,
// and names of objects are not repeated.
func TestTraces(t *testing.T) {
	shown := 0
	for _, m := range zingtest.Models() {
		p, err := zingtest.Load("m.zing", m.Text)
		if err != nil {
			t.Fatal(err)
		}
		a := Check(context.Background(), p, Options{Options: interleave.Options{Cooperative: m.Options.Cooperative}, Unchecked: m.Options.Unchecked})
		r := a.Result
		switch {
		case r.Verdict == verdict.Unknown && len(a.Lowered.Activate) > 0:
			t.Errorf("%s: %s", m.Name, r.Summary())
		case r.Verdict == verdict.False:
			shown++
			if steps := r.Trace.Steps; len(steps) > 0 && steps[len(steps)-1].State != a.Length {
				t.Errorf("%s: the run has %d states, the last step leads to number %d", m.Name, a.Length, steps[len(steps)-1].State)
			}
		}
	}
	if shown < 20 {
		t.Errorf("only %d failing runs", shown)
	}
}

// TestVacuous: a model without a process is not TRUE.
func TestVacuous(t *testing.T) {
	r := Check(context.Background(), load(t, []byte("class A { static int g; };")), Options{}).Result
	if r.Verdict != verdict.Unknown || !strings.HasPrefix(r.Reason, "vacuous: ") {
		t.Error(r.Summary())
	}
}

// TestReduced checks all models by transactions: the verdict is the same, and the run to a failure, which is
// confirmed, is shown.
func TestReduced(t *testing.T) {
	shown := 0
	for _, m := range zingtest.Models() {
		check := func(reduce bool) *Analysis {
			p, err := zingtest.Load("m.zing", m.Text)
			if err != nil {
				t.Fatal(err)
			}
			return Check(context.Background(), p, Options{Options: interleave.Options{Cooperative: m.Options.Cooperative, Reduce: reduce}, Unchecked: m.Options.Unchecked})
		}
		a := check(true)
		if want := check(false).Result.Verdict; a.Result.Verdict != want {
			t.Errorf("%s: %s, want %v", m.Name, a.Result.Summary(), want)
		}
		if a.Result.Verdict == verdict.False && a.Length > 1 {
			shown++
			if steps := a.Result.Trace.Steps; len(steps) == 0 || steps[len(steps)-1].State != a.Length {
				t.Errorf("%s: the run has %d states, and is not shown to its end", m.Name, a.Length)
			}
		}
	}
	if shown < 20 {
		t.Errorf("only %d failing runs", shown)
	}
}

// TestMovers shows the reasons why locations are not protected.
func TestMovers(t *testing.T) {
	a := Check(context.Background(), load(t, []byte(`class A {
    static bool k; static bool l; static bool m; static int x; static int y; static int z = 1; static int w;
    static void work() {
        atomic { select { wait(!k) -> k = true; } }
        atomic { select { wait(!l) -> l = true; } }
        x = x + z;
        y = 1;
        l = false;
        k = false;
        y = 2;
        assert(!l && w == 0);
        atomic { select { wait(!m) -> m = true; } }
        atomic { select { wait(m) -> m = false; } }
    }
    activate static void a() { work(); }
    activate static void b() { work(); }
};`)), Options{Options: interleave.Options{Reduce: true, NoDeadlocks: true, All: true}})
	var got strings.Builder
	a.WriteMovers(&got)
	want := `Locks, and what they protect:
  location  protected by
  A.k       (a lock)
  A.l       nothing, and no lock: in.zing:11: assert(!l && w == 0);
  A.m       nothing, and no lock: selects wait for different values
  A.x       A.k
  A.y       nothing: no lock of its other uses is held at in.zing:10: y = 2;
  A.z       A.k
  A.w       nothing: no process writes it

`
	if got.String() != want {
		t.Errorf("got\n%s\nwant\n%s", &got, want)
	}
}
