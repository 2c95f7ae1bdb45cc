package extents

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"c2bp/alias/devirt"
	"c2bp/frontend"
	"c2bp/frontend/checks"
	"c2bp/frontend/core"
	"c2bp/frontend/core/coretest"
	"c2bp/frontend/core/interp"
	"c2bp/internal/testkit"
	"c2bp/source"
)

// This file compares the checks with the interpreter, which knows the bounds of objects: random programs are run without
// checks, and with them and the same choices once for each object that a run can watch. All together must fail
// exactly where the first run leaves an object.

// load reads a C file; the checks are not made yet.
func load(t *testing.T, text string) *core.Program {
	t.Helper()
	u, err := frontend.Load(context.Background(), []*source.File{source.NewFile("in.c", []byte(text))}, frontend.Options{Checks: checks.Of(checks.Bounds)})
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return u.Program
}

// end is the end of a run.
type end struct {
	kind interp.Kind
	ub   *interp.UBError
	name string // of the property that fails
}

// run executes p without checks, if it has no marks, or with them, and tells whether there was an object number watch.
func run(p *core.Program, seed uint64, marks coretest.Marks, watch int, plain *core.Program) (e end, there bool) {
	choices := &coretest.Watching{Random: interp.NewRandom(plain, seed), Marks: marks, Watch: watch}
	m := interp.New(p, choices, interp.Options{})
	for steps := 0; steps < 1500; {
		f := m.Top()
		if f == nil {
			break
		}
		n := f.Proc().Nodes[f.Node()]
		if marks.Own == nil || marks.Own[n] {
			steps++
		}
		event, err := m.Step()
		if err != nil {
			if !errors.As(err, &e.ub) {
				return e, choices.Watch < 0
			}
			break
		}
		e.kind = event.Kind
		if event.Kind == interp.Failed {
			if c := n.Stmt.(*core.Assert).Check; c != nil {
				e.name = c.Name
			}
		}
		if event.Kind.Final() {
			break
		}
	}
	return e, choices.Watch < 0
}

// TestOracle: a check fails, for some object that is watched, if and only if the run without checks leaves an object.
func TestOracle(t *testing.T) {
	t.Parallel()
	accesses, moves, ended := 0, 0, 0
	for seed := range testkit.Count(uint64(150), 5_000) {
		text := program(rand.New(rand.NewPCG(seed, 3)))
		plain, checked := load(t, text), load(t, text)
		devirt.Calls(plain)
		devirt.Calls(checked)
		marks, err := coretest.Mark(checked, func() error { return Check(checked, checks.Of(checks.Bounds)) })
		if err != nil {
			t.Fatal(err)
		}
		for k := range uint64(8) {
			s := seed*100 + k
			// 1. Without checks.
			want, _ := run(plain, s, coretest.Marks{}, -1, plain)
			leaves := want.ub != nil && (want.ub.Kind == interp.BadAccess || want.ub.Kind == interp.BadPointer)
			// 2. With each object.
			found := ""
			for watch, more := 0, true; more && watch < 60; watch++ {
				var got end
				got, more = run(checked, s, marks, watch, plain)
				if got.name == checks.AccessOutOfBounds || got.name == checks.PointerOutOfBounds {
					found = got.name
				} else if (got.ub == nil) != (want.ub == nil) || got.ub == nil && got.kind != want.kind {
					t.Fatalf("seed %d: ends with %v %v, without checks with %v %v\n%s\n%s", s, got.kind, got.ub, want.kind, want.ub, text, checked)
				}
			}
			// 3. Compare.
			ended++
			switch {
			case leaves != (found != ""):
				t.Fatalf("seed %d: found %q, but without checks %v %v\n%s\n%s", s, found, want.kind, want.ub, text, checked)
			case found == checks.AccessOutOfBounds:
				accesses++
			case found != "":
				moves++
			}
		}
	}
	t.Logf("%d runs, %d access what is out of bounds, %d move a pointer there", ended, accesses, moves)
	if accesses < 50 || moves < 8 {
		t.Error("too few")
	}
}
