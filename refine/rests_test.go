package refine

import (
	"context"
	"fmt"
	"math/big"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"c2bp/frontend"
	"c2bp/frontend/core"
	"c2bp/frontend/core/interp"
	"c2bp/internal/testkit"
	"c2bp/source"
	"c2bp/verdict"
)

// This file tests the choices that a failing run rests on. Each archive in testdata/rests is a program, and
// for each of the choices a line that takes it away:
//
//	assume probe: dev != peer               an assumption about the calls of a function
//	after 9: __VERIFIER_assume(d != 0);     a statement after a line of the program
//
// Without a choice the run is gone; with all of them, and anything likely for the rest, the program fails.

// restsCase is an archive.
type restsCase struct {
	name    string
	archive *txtar.Archive
	text    string
	opts    frontend.Options
	away    []string
}

func restsCases(t *testing.T) (list []restsCase) {
	t.Helper()
	files, err := filepath.Glob("testdata/rests/*.txtar")
	if err != nil || len(files) < 12 {
		t.Fatalf("%d archives, %v", len(files), err)
	}
	for _, name := range files {
		a, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		c := restsCase{name: name, archive: a, text: string(a.Files[0].Data), away: strings.FieldsFunc(string(a.Files[1].Data), func(r rune) bool { return r == '\n' })}
		if entry, open := strings.CutPrefix(strings.TrimSpace(string(a.Comment)), "open "); open {
			c.opts = frontend.Options{Open: true, Entry: entry}
		}
		list = append(list, c)
	}
	return list
}

// audit decides the program, with some lines that take choices away.
func (c restsCase) audit(t *testing.T, away ...string) (*core.Program, *Outcome) {
	t.Helper()
	opts := c.opts
	lines := strings.SplitAfter(c.text, "\n")
	for _, a := range away {
		if rule, ok := strings.CutPrefix(a, "assume "); ok {
			if err := opts.Assume.Set(rule); err != nil {
				t.Fatal(err)
			}
			continue
		}
		after, stmt, ok := strings.Cut(strings.TrimPrefix(a, "after "), ": ")
		n, err := strconv.Atoi(after)
		if !ok || err != nil {
			t.Fatalf("a line of away: %s", a)
		}
		lines[n-1] = strings.TrimSuffix(lines[n-1], "\n") + " " + stmt + "\n" // the lines keep their numbers
	}
	u, err := frontend.Load(context.Background(), []*source.File{source.NewFile("in.c", []byte(strings.Join(lines, "")))}, opts)
	if err != nil {
		t.Fatal(err)
	}
	o, err := Audit(context.Background(), u.Program, Options{Iterations: 60})
	if err != nil {
		t.Fatal(err)
	}
	return u.Program, o
}

// restsOf lists the choices that the failing run of o rests on.
func restsOf(o *Outcome) (list []verdict.Choice) {
	if len(o.Result.Failures) > 0 {
		list = o.Result.Failures[0].RestsOn
	}
	return list
}

// TestRestsOn: the choices are those of the archive, each of them is necessary, and together they are
// enough.
func TestRestsOn(t *testing.T) {
	runs := 0
	for _, c := range restsCases(t) {
		t.Run(strings.TrimSuffix(filepath.Base(c.name), ".txtar"), func(t *testing.T) {
			prog, o := c.audit(t)
			if o.Result.Verdict != verdict.False {
				t.Fatalf("%s", o.Result.Summary())
			}
			rests := restsOf(o)
			c.golden(t, rests)
			// 1. Without one of them, the run is gone.
			if len(c.away) != len(rests) {
				t.Fatalf("it rests on %v; %d can be taken away", rests, len(c.away))
			}
			for i, a := range c.away {
				if _, without := c.audit(t, a); without.Result.Verdict == verdict.False && slices.ContainsFunc(restsOf(without), func(x verdict.Choice) bool { return x.Text == rests[i].Text }) {
					t.Errorf("without %q it rests on %v all the same", a, restsOf(without))
				} else if without.Result.Verdict == verdict.Unknown {
					t.Errorf("without %q: %s", a, without.Result.Summary())
				}
			}
			// 2. With them, and likely values for the rest, each run fails.
			site := o.Result.Sites[o.Result.Failed]
			for seed := range uint64(testkit.Count(40, 2000)) {
				likely := &likelyChoices{rests: rests, rng: rand.New(rand.NewPCG(seed, 0)), given: map[string]*big.Int{}}
				m := interp.New(prog, likely, interp.Options{})
				likely.machine = m
				e, err := m.Run(context.Background(), 10_000)
				if err != nil || e.Kind != interp.Failed || e.Place.Proc.NodeID(e.Place.Node) != site.Node {
					t.Fatalf("seed %d: the run is %v (%v) and does not fail at %s; it rests on %v", seed, e.Kind, err, site.Node, rests)
				}
				runs++
			}
		})
	}
	t.Logf("%d runs", runs)
}

// golden compares the choices with those of the archive.
func (c restsCase) golden(t *testing.T, rests []verdict.Choice) {
	t.Helper()
	var b strings.Builder
	for _, r := range rests {
		fmt.Fprintf(&b, "%s: %s, line %d\n", r.Kind, r.Text, r.Pos.Line)
	}
	want := ""
	if len(c.archive.Files) > 2 {
		want = string(c.archive.Files[2].Data)
	}
	if b.String() == want {
		return
	}
	if *update {
		c.archive.Files = append(c.archive.Files[:2:2], txtar.File{Name: "out/rests", Data: []byte(b.String())})
		if err := os.WriteFile(c.name, txtar.Format(c.archive), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	t.Errorf("it rests on\n%sinstead of\n%s", b.String(), want)
}

// likelyChoices makes the choices that a run rests on, and likely ones for the rest: pointers to objects of
// their own, and numbers that are no errors.
type likelyChoices struct {
	rests   []verdict.Choice
	rng     *rand.Rand
	machine *interp.Machine
	given   map[string]*big.Int // by where it comes from
}

func (c *likelyChoices) Branch(_ interp.Place, next []int) int { return next[c.rng.IntN(len(next))] }

func (c *likelyChoices) Value(q interp.Request) *big.Int {
	n := q.Proc.Nodes[q.Node]
	// 1. Where does it come from?
	from, subject := "", ""
	switch st := n.Stmt.(type) {
	case *core.Havoc:
		for i, l := range st.Locs {
			if v, ok := l.(*core.VarRef); ok && v.Var == q.Var && q.Why == interp.Havocked && strings.HasPrefix(st.Why, "the arguments of ") {
				f := q.Proc.Nodes[n.Succ[0]].Stmt.(*core.Call).Callee
				from = "the argument " + f.Formals[i].Name + " of " + f.CName
				subject = from + " is "
			}
		}
	case *core.Call:
		if q.Why == interp.ExternalResult {
			from, subject = "the result of "+st.Callee.CName+"()", st.Callee.CName+"() returns "
		}
	}
	line := n.Pos.Line
	if q.Why == interp.Contents {
		for _, l := range core.Locs(n.Stmt.(*core.Assign).Rhs[0]) {
			if m, ok := l.(*core.Mem); ok {
				from, subject = core.CString(m), core.CString(m)+" is "
			}
		}
	}
	// 2. The choice that the run rests on, if there is one.
	for _, r := range c.rests {
		pair, same := strings.CutSuffix(r.Text, " lead to one object")
		again := strings.HasPrefix(r.Text, from+" leads to the object of the one before")
		switch {
		case from == "":
		case r.Kind == verdict.NullChoice && r.Text == subject+"null" && q.Pointer:
			return new(big.Int)
		case r.Kind == verdict.ErrorPointerChoice && r.Text == subject+"an error number":
			return new(big.Int).SetUint64(^c.rng.Uint64N(4094))
		case r.Kind == verdict.NegativeChoice && r.Text == subject+"a negative number" && line == r.Pos.Line:
			return big.NewInt(-1 - c.rng.Int64N(1<<31))
		case same && strings.HasSuffix(pair, " and "+from) && q.Pointer:
			return c.given[strings.TrimSuffix(pair, " and "+from)]
		case again && q.Pointer && c.given[from] != nil:
			return c.given[from]
		}
	}
	// 3. Otherwise a likely value.
	v := new(big.Int)
	switch {
	case q.Indeterminate:
	case q.Pointer:
		a, ok := q.Fresh()
		if !ok {
			panic("no room for another object")
		}
		v.SetUint64(uint64(a))
		c.given[from] = v
	case q.Type.Signed:
		v.SetInt64(c.rng.Int64N(1 << (min(q.Type.Bits, 32) - 1)))
	}
	return v
}
