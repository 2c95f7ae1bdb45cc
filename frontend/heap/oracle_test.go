package heap

import (
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"c2bp/alias/devirt"
	"c2bp/frontend/checks"
	"c2bp/frontend/core"
	"c2bp/frontend/core/coregen"
	"c2bp/frontend/core/interp"
	"c2bp/internal/testkit"
)

// This file compares the checks with the interpreter, which knows which objects live: random programs with lists,
// aliases and allocations are run without checks, and with them and the same choices once for each object that a run can
// watch. All together must fail exactly where the first run does what is undefined.

// watching makes random choices, and that of the object to watch: the one of allocation number watch, from 0.
type watching struct {
	*interp.Random
	own   map[*core.Node]bool // nodes of the program without checks
	watch int
	ghost map[*core.Var]bool
}

func (w *watching) Branch(at interp.Place, next []int) int {
	n := at.Proc.Nodes[at.Node]
	if w.own == nil || w.own[n] {
		return w.Random.Branch(at, next)
	}
	if !n.Free || len(next) < 2 { // a condition decides, or an object is watched already
		return next[len(next)-1]
	}
	if w.watch--; w.watch == -1 {
		return next[0]
	}
	return next[1]
}

func (w *watching) Value(r interp.Request) *big.Int {
	if w.ghost[r.Var] {
		return new(big.Int)
	}
	if v := w.Random.Value(r); r.Why != interp.InitLocal || !r.Pointer {
		return v
	}
	return new(big.Int) // to use a pointer that was not set is undefined
}

// pair is a random program without checks and with them.
type pair struct {
	plain, checked *core.Program
	own            map[*core.Node]bool
	ghost          map[*core.Var]bool
}

func newPair(t *testing.T, seed uint64, s checks.Set) *pair {
	generate := func() *core.Program {
		rng := rand.New(rand.NewPCG(seed, 7))
		if seed%2 == 0 {
			p := load(t, "in.c", []byte(heapProgram(rng)), 0).Program
			devirt.Resolve(p)
			return p
		}
		p, _ := coregen.Generate(rng, coregen.Config{Memory: true})
		if p.Extern == core.ExternAll {
			p.Extern = core.ExternArgs
		}
		devirt.Resolve(p)
		return p
	}
	x := &pair{generate(), generate(), map[*core.Node]bool{}, map[*core.Var]bool{}}
	globals := len(x.checked.Globals)
	for _, q := range x.checked.Procs {
		for _, n := range q.Nodes {
			x.own[n] = true
		}
	}
	if err := Check(x.checked, s); err != nil {
		t.Fatalf("seed %d: %v", seed, err)
	}
	for _, g := range x.checked.Globals[globals:] {
		x.ghost[g] = true
	}
	return x
}

// end is the end of a run.
type end struct {
	kind interp.Kind
	node string // where it ends, in the program without checks
	ub   *interp.UBError
	name string // of the property that fails
	own  bool   // it frees an object of the heap a second time

	outside bool // it frees what is outside of the program
}

// run executes one of the programs; watch is -1 for the one without checks.
func (x *pair) run(t *testing.T, seed uint64, watch int) (e end, allocs int) {
	prog := x.plain
	r := interp.NewRandom(x.plain, seed)
	choices := &watching{Random: r}
	if watch >= 0 {
		prog = x.checked
		choices = &watching{r, x.own, watch, x.ghost}
	}
	m := interp.New(prog, choices, interp.Options{})
	for steps := 0; steps < 2000; {
		f := m.Top()
		if f == nil {
			break
		}
		n := f.Proc().Nodes[f.Node()]
		if watch < 0 || x.own[n] {
			steps++ // of the program without checks
		}
		if a, ok := n.Stmt.(*core.Alloc); ok && !a.Stack {
			allocs++
		}
		event, err := m.Step()
		if err != nil {
			if errors.As(err, &e.ub); e.ub != nil && e.ub.Kind == interp.BadFree {
				a, _ := f.Eval(n.Stmt.(*core.Free).Ptr)
				o := m.Object(a.Uint64())
				e.outside = o != nil && (o.External() || o.Known())
				e.own = o != nil && o.Alloc() != nil && !o.Alloc().Stack && o.Start() == a.Uint64()
			}
			return e, allocs
		}
		e.kind = event.Kind
		if event.Kind == interp.Failed {
			if c := n.Stmt.(*core.Assert).Check; c != nil && !x.own[n] {
				e.name = c.Name
			}
		}
		if event.Kind.Final() {
			return e, allocs
		}
	}
	return e, allocs
}

// TestOracle: a check fails, for some object that is watched, if and only if the run without checks frees what is no
// live object.
func TestOracle(t *testing.T) {
	t.Parallel()
	bad, left, twice, ended := 0, 0, 0, 0
	for seed := range testkit.Count(uint64(200), 20_000) {
		x := newPair(t, seed, checks.Of(checks.DoubleFree))
		for k := range uint64(3) {
			s := seed*100 + k
			want, allocs := x.run(t, s, -1)
			invalid := want.ub != nil && want.ub.Kind == interp.BadFree
			found := ""
			for watch := range allocs + 1 {
				got, _ := x.run(t, s, watch)
				if got.name != "" {
					found = got.name
				} else if (got.ub == nil) != (want.ub == nil) || got.ub == nil && got.kind != want.kind {
					t.Fatalf("seed %d: ends with %v %v, without checks with %v %v", s, got.kind, got.ub, want.kind, want.ub)
				}
			}
			if invalid && found == "" && !want.own && slices.ContainsFunc(x.checked.Ledger, func(line string) bool {
				return line == fmt.Sprintf(startsAt, want.ub.Pos) || want.outside && line == outsideFreed
			}) {
				left++
				continue
			}
			if invalid != (found != "") || want.own && found != checks.FreedTwice {
				t.Errorf("seed %d: found %q, but without checks %v\n%s", s, found, want.ub, x.checked)
				return
			}
			if ended++; invalid {
				bad++
			}
			if want.own {
				twice++
			}
		}
	}
	t.Logf("%d runs, %d free what is no live object, %d an object of the heap twice, %d where the ledger says that they do not", ended, bad, twice, left)
	if bad < 20 || twice < 5 {
		t.Error("too few")
	}
}
