package refine

import (
	"context"
	"math/big"
	"slices"

	"c2bp/frontend/core"
	"c2bp/frontend/core/interp"
)

// This file finds predicates where no reason leads to any: the values themselves. If runs
// with random inputs have seen a variable hold but a few values, each of them is a predicate.
// Of
//
//	static int f(int n) { int k = n & 1; if (n <= 0) return 1; int v = f(n - 1); return v + k; }
//
// called with 0, 1, 2 or 3, there are relations between n and the result that no comparison
// in the program speaks of; with n == 0 … n == 3 and \result == 1 … \result == 3 the
// abstraction is a table of the function.

const (
	mostValues = 8       // of a place: with more of them it is not one of few
	mostEqual  = 48      // predicates of this kind for a path
	fewSteps   = 100_000 // of the runs that are looked at
)

// domain is what a place was seen to hold.
type domain struct {
	proc   *core.Proc // nil for what all procedures see
	place  core.Loc
	values []*big.Int
	many   bool
}

// see adds a value.
func (d *domain) see(v *big.Int) {
	if d.many || slices.ContainsFunc(d.values, func(w *big.Int) bool { return w.Cmp(v) == 0 }) {
		return
	}
	d.values = append(d.values, v)
	d.many = len(d.values) > mostValues
}

// domains are places, by procedure and text, in the order in which they were asked for.
type domains struct {
	list []*domain
	by   map[domainKey]*domain
}

type domainKey struct {
	proc *core.Proc
	text string
}

// add asks for a place of numbers.
func (d *domains) add(p *core.Proc, l core.Loc) (isNew bool) {
	if _, number := l.Type().(core.Int); !number {
		return false
	}
	if !core.Mentions(l, func(v *core.Var) bool { return v.Kind != core.Global }) {
		p = nil
	}
	key := domainKey{p, core.ExprString(l)}
	if d.by[key] != nil {
		return false
	}
	d.by[key] = &domain{proc: p, place: l}
	d.list = append(d.list, d.by[key])
	return true
}

// of is what is known of l in p, nil if it was not asked for.
func (d *domains) of(p *core.Proc, l core.Loc) *domain {
	text := core.ExprString(l)
	if x := d.by[domainKey{p, text}]; x != nil {
		return x
	}
	return d.by[domainKey{nil, text}]
}

// behind lists the places that the condition at the end of a path is computed from, the
// nearest first, and then those of its other conditions.
func behind(p *Path) *domains {
	d := &domains{by: map[domainKey]*domain{}}
	type item struct {
		proc *core.Proc
		expr core.Expr
	}
	var queue []item
	read := func(q *core.Proc, e core.Expr) {
		core.Walk(e, func(e core.Expr) bool {
			if l, ok := e.(core.Loc); ok && isScalar(l.Type()) && d.add(q, l) {
				queue = append(queue, item{q, l})
			}
			return true
		})
	}
	follow := func() {
		for len(queue) > 0 {
			x := queue[0]
			queue = queue[1:]
			text := core.ExprString(x.expr)
			for i, s := range p.Steps {
				q := s.Frame.Proc
				switch n := s.stmt().(type) {
				case *core.Assign:
					for j, l := range n.Lhs {
						if core.ExprString(l) == text && d.of(q, l) != nil {
							read(q, n.Rhs[j])
						}
					}
				case *core.Call:
					if s.Enter == nil {
						continue
					}
					if n.Lhs != nil && core.ExprString(n.Lhs) == text && s.Enter.Proc.Result != nil {
						read(s.Enter.Proc, s.Enter.Proc.Result.Ref())
					}
					for j, v := range s.Enter.Proc.Formals {
						if v == variable(x.expr.(core.Loc)) && j < len(p.Steps[i].stmt().(*core.Call).Args) {
							read(q, n.Args[j])
						}
					}
				}
			}
		}
	}
	for i := len(p.Steps) - 1; i >= 0; i-- {
		switch n := p.Steps[i].stmt().(type) {
		case *core.Assert:
			if i == len(p.Steps)-1 {
				read(p.Steps[i].Frame.Proc, n.Cond)
			}
		case *core.Assume:
			read(p.Steps[i].Frame.Proc, n.Cond)
		}
		follow()
	}
	return d
}

// watch runs the program with random inputs and notes what the places hold whenever they
// are written to.
func (d *domains) watch(ctx context.Context, k *trials) {
	for left := fewSteps; left > 0 && ctx.Err() == nil; {
		k.chance.start()
		m := k.prepared.New(k.chance, interp.Options{OnCompare: k.compare})
		left -= copyCost
		var calls []*core.Call // under way
		for m.Err() == nil && m.Steps() < longestRun && left > 0 {
			top := m.Top()
			if top == nil {
				break
			}
			stmt := top.Proc().Nodes[top.Node()].Stmt
			e, err := m.Step()
			left--
			if err != nil || e.Kind.Final() {
				break
			}
			now := m.Top()
			if now == nil {
				break
			}
			switch s := stmt.(type) {
			case *core.Call:
				if e.Kind == interp.Entered {
					calls = append(calls, s)
					for _, v := range now.Proc().Formals {
						d.note(now, v.Ref())
					}
				} else if s.Lhs != nil {
					d.note(now, s.Lhs)
				}
			case *core.Return:
				if n := len(calls) - 1; n >= 0 {
					if calls[n].Lhs != nil {
						d.note(now, calls[n].Lhs)
					}
					calls = calls[:n]
				}
			case *core.Assign:
				for _, l := range s.Lhs {
					d.note(now, l)
				}
			case *core.Havoc:
				for _, l := range s.Locs {
					d.note(now, l)
				}
			case *core.Copy, *core.Fill, *core.Data:
				d.noteMemory(now)
			}
		}
	}
}

// note notes what l holds in f.
func (d *domains) note(f *interp.Frame, l core.Loc) {
	x := d.of(f.Proc(), l)
	if x == nil || x.many {
		return
	}
	if v, err := f.Eval(x.place); err == nil {
		x.see(v)
	}
}

// noteMemory is note for all places in memory that f sees.
func (d *domains) noteMemory(f *interp.Frame) {
	for _, x := range d.list {
		if _, inMemory := x.place.(*core.Mem); inMemory && (x.proc == nil || x.proc == f.Proc()) {
			d.note(f, x.place)
		}
	}
}

// enumerate adds predicates for places behind a path that hold few values.
func (a *audit) enumerate(ctx context.Context, p *Path) {
	if a.without.NoFew {
		return
	}
	d := behind(p)
	d.watch(ctx, newTrials(a.prog, nil, 1))
	n := 0
	for _, x := range d.list {
		if x.many || n+len(x.values) > mostEqual {
			continue
		}
		t := x.place.Type().(core.Int)
		slices.SortFunc(x.values, (*big.Int).Cmp)
		for _, v := range x.values {
			a.preds.add(x.proc, &core.Binary{Op: core.Eq, X: x.place, Y: &core.Const{Val: v, Typ: t}})
			n++
		}
	}
}
