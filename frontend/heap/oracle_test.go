package heap

import (
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"c2bp/alias"
	"c2bp/alias/devirt"
	"c2bp/frontend/checks"
	"c2bp/frontend/core"
	"c2bp/frontend/core/coregen"
	"c2bp/frontend/core/coretest"
	"c2bp/frontend/core/interp"
	"c2bp/internal/testkit"
)

// This file compares the checks with the interpreter, which knows which objects live: random programs with lists,
// aliases and allocations are run without checks, and with them and the same choices once for each object that a run can
// watch. All together must fail exactly where the first run does what is undefined.

// watching makes choices; a pointer that was not set is null.
type watching struct{ coretest.Watching }

func (w *watching) Value(r interp.Request) *big.Int {
	if v := w.Watching.Value(r); r.Why != interp.InitLocal || !r.Pointer {
		return v
	}
	return new(big.Int) // to use a pointer that was not set is undefined
}

// pair is a random program without checks and with them.
type pair struct {
	plain, checked *core.Program
	marks          coretest.Marks
	kept           map[*core.Alloc]bool // in the program without checks: not known outside
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
	x := &pair{plain: generate(), checked: generate(), kept: map[*core.Alloc]bool{}}
	for _, o := range alias.Analyze(x.plain).Objects() {
		if o.Kind == alias.Allocation && !o.Escaped {
			x.kept[o.Site] = true
		}
	}
	var err error
	if x.marks, err = coretest.Mark(x.checked, func() error { return Check(x.checked, s, false) }); err != nil {
		t.Fatalf("seed %d: %v", seed, err)
	}
	return x
}

// end is the end of a run.
type end struct {
	kind interp.Kind
	ub   *interp.UBError
	name string // of the property that fails
	own  bool   // it frees or accesses an object of the heap that was freed

	outside  bool // that is outside of the program
	leaks    bool // an object of the heap lives in the end
	computes bool // it computes with an address there
}

// run executes one of the programs; watch is -1 for the one without checks.
func (x *pair) run(t *testing.T, seed uint64, watch int) (e end, allocs int) {
	prog := x.plain
	r := interp.NewRandom(x.plain, seed)
	choices := &watching{coretest.Watching{Random: r}}
	if watch >= 0 {
		prog = x.checked
		choices = &watching{coretest.Watching{Random: r, Marks: x.marks, Watch: watch}}
	}
	m := interp.New(prog, choices, interp.Options{})
	for steps := 0; steps < 2000; {
		f := m.Top()
		if f == nil {
			break
		}
		n := f.Proc().Nodes[f.Node()]
		if watch < 0 || x.marks.Own[n] {
			steps++ // of the program without checks
		}
		if a, ok := n.Stmt.(*core.Alloc); ok && !a.Stack {
			allocs++
		}
		at := f
		if _, ok := n.Stmt.(*core.Return); ok && f.Depth() > 0 {
			at = m.Frames()[f.Depth()-1] // the place of the result is one of the caller
		}
		if _, ok := n.Stmt.(*core.Return); ok && f.Depth() == 0 {
			e.leaks = slices.ContainsFunc(m.Objects(), func(o *interp.Object) bool { return o.Alloc() != nil && !o.Alloc().Stack && x.kept[o.Alloc()] })
		}
		event, err := m.Step()
		if err != nil {
			if errors.As(err, &e.ub); e.ub != nil {
				e.look(m, at, n)
			}
			return e, allocs
		}
		e.kind = event.Kind
		if event.Kind == interp.Failed {
			if c := n.Stmt.(*core.Assert).Check; c != nil && !x.marks.Own[n] {
				e.name = c.Name
			}
		}
		if event.Kind.Final() {
			return e, allocs
		}
	}
	return e, allocs
}

// look finds out what is undefined in n, where the run ends.
func (e *end) look(m *interp.Machine, f *interp.Frame, n *core.Node) {
	switch e.ub.Kind {
	case interp.BadFree:
		at := n.Stmt.(*core.Free).Ptr
		o := objectAt(m, f, at)
		e.outside = o != nil && (o.External() || m.Known(o))
		a, _ := f.Eval(at)
		e.own = isFreed(m, o) && o.Start() == a.Uint64()
	case interp.BadAccess, interp.BadPointer:
		at := e.ub.Expr
		// Of a block of bytes it is the address.
		if mem, ok := at.(*core.Mem); ok && !slices.ContainsFunc(blocks(n.Stmt), func(e core.Expr) bool { return e == at }) {
			at = mem.Addr
		}
		o := objectAt(m, f, core.Base(at))
		e.outside = o != nil && (o.External() || m.Known(o))
		e.own = isFreed(m, o)
		e.computes = e.ub.Kind == interp.BadPointer // perhaps nothing is accessed
	}
}

// objectAt returns the object that an expression leads to, also one that was freed; nil if it leads to none.
func objectAt(m *interp.Machine, f *interp.Frame, e core.Expr) *interp.Object {
	a, err := f.Eval(e)
	if err != nil || a.Sign() == 0 {
		return nil
	}
	return m.Object(a.Uint64())
}

// blocks returns the addresses of the bytes that s works on.
func blocks(s core.Stmt) []core.Expr {
	switch s := s.(type) {
	case *core.Copy:
		return []core.Expr{s.Dst, s.Src}
	case *core.Fill:
		return []core.Expr{s.Dst}
	}
	return nil
}

// isFreed reports whether o is an object of the heap that was freed.
func isFreed(m *interp.Machine, o *interp.Object) bool {
	return o != nil && !m.Live(o) && o.Alloc() != nil && !o.Alloc().Stack
}

// TestOracle: a check fails, for some object that is watched, if and only if the run without checks frees what is no
// live object, or accesses one that was freed, or leaves one in the end; unless the ledger says that it does not.
func TestOracle(t *testing.T) {
	t.Parallel()
	frees, uses, leaks, left, ended := 0, 0, 0, 0, 0
	for seed := range testkit.Count(uint64(150), 20_000) {
		x := newPair(t, seed, checks.OfHeap)
		for k := range uint64(6) {
			s := seed*100 + k
			// 1. Without checks.
			want, allocs := x.run(t, s, -1)
			free := want.ub != nil && want.ub.Kind == interp.BadFree
			// 2. With each watch.
			found := ""
			for watch := range allocs + 1 {
				got, _ := x.run(t, s, watch)
				if got.name != "" {
					found = got.name
				} else if (got.ub == nil) != (want.ub == nil) || got.ub == nil && got.kind != want.kind {
					t.Fatalf("seed %d: ends with %v %v, without checks with %v %v", s, got.kind, got.ub, want.kind, want.ub)
				}
			}
			// 3. Compare.
			assumed := free && !want.own && slices.ContainsFunc(x.checked.Ledger, func(line string) bool {
				return line == fmt.Sprintf(startsAt, want.ub.Pos) || want.outside && line == outsideFreed
			})
			ended++
			switch {
			case found == "" && assumed, found == "" && want.computes:
				left++
			case want.kind == interp.Finished && want.ub == nil:
				if want.leaks != (found == checks.MemoryLeak) || !want.leaks && found != "" {
					t.Errorf("seed %d: found %q, but an object is left: %v\n%s", s, found, want.leaks, x.checked)
					return
				}
				if want.leaks {
					leaks++
				}
			case (free || want.own) != (found != ""), want.own && free != (found == checks.FreedTwice):
				t.Errorf("seed %d: found %q, but without checks %v\n%s", s, found, want.ub, x.checked)
				return
			case free && want.own:
				frees++
			case want.own:
				uses++
			}
		}
	}
	t.Logf("%d runs, %d free an object of the heap twice, %d use one that was freed, %d leave one, %d are left to the ledger", ended, frees, uses, leaks, left)
	if frees < 5 || uses < 10 || leaks < 20 {
		t.Error("too few")
	}
}
