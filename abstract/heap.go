package abstract

import (
	"fmt"
	"slices"

	"c2bp/abstract/refs"
	"c2bp/frontend/core"
	"c2bp/prover/cubes"
	"c2bp/source"
)

// This file adds references to an abstraction: package refs says which pointers are kept. For
//
//	class dev { bool {state == 1} := *; ref dev next; }
//
// and kept pointers p and q, a statement becomes
//
//	core node            Boolean program
//	x = p->state         assume(p != null); … := …         p.{state == 1} may be read
//	p->state = e         assume(p != null); p.{state == 1} := choose(F(WP(p->state == 1)), …)
//	p = q->next          assume(q != null); p := q.next
//	p = alloc            p := new dev
//	p = e                p := any dev new                   where no reference expresses e
//	p = &tab[i]          if (*) then assume({i == 0}); p := {&tab[0]}; else … fi
//	*i = e               dead dev.{state == 1}              where i may lead to some dev's state
//	assume(p == q)       assume(p = q)
//
// The predicate φ of an object becomes φ[p], with p for the object, wherever it is strengthened or read:
// its weakest preconditions are those of an ordinary predicate. That an object other than p's does not
// change by p->state = e needs no case distinction: it is another object.

// heap is the references of an abstraction.
type heap struct {
	plan  *refs.Plan
	preds map[*refs.Class][]*Predicate // the object predicates, over Class.This
	cubes map[*refs.Class][]cubes.Cube // infeasible ones of these

	pointer core.Ptr                            // the type of pointers
	set     map[*core.Proc][]map[*core.Var]bool // by node: setBefore
	weak    *weakWrites
	known   map[core.Stmt][]core.Expr // by statement: operands
	vague   string                    // a comparison of references that says more as a predicate; "" if there is none
}

// newHeap plans the references of a program, and collects the object predicates. It fails with a
// source.List if a type that is to be kept does not exist.
func newHeap(prog *core.Program, opts Options, preds []*Predicate) (*heap, error) {
	// 1. The types that are wanted.
	var wants []refs.Want
	for _, p := range preds {
		if p.This != nil && !slices.ContainsFunc(wants, func(w refs.Want) bool { return w.This == p.This }) {
			wants = append(wants, refs.Want{Record: p.This.To, This: p.This, Why: "it has object predicates"})
		}
	}
	more := slices.Clone(opts.kept)
	for _, name := range opts.Keep {
		r := refs.Record(prog, name)
		if r == nil {
			return nil, source.List{{Severity: source.Error, Msg: fmt.Sprintf("the program has no %s, which is to be kept", name)}}
		}
		more = append(more, r)
	}
	for _, r := range more {
		if !slices.ContainsFunc(wants, func(w refs.Want) bool { return w.Record == r }) {
			wants = append(wants, refs.Want{Record: r, Why: "it was asked for"})
		}
	}
	// 2. The plan, and the predicates of each class. A set of its own drops constants and duplicates.
	h := &heap{plan: refs.New(prog, opts.Alias, wants), preds: map[*refs.Class][]*Predicate{}, cubes: map[*refs.Class][]cubes.Cube{}, pointer: prog.Pointer(), set: map[*core.Proc][]map[*core.Var]bool{}, known: map[core.Stmt][]core.Expr{}}
	for _, p := range prog.Procs {
		h.set[p] = h.setBefore(p)
		for _, n := range p.Nodes {
			h.known[n.Stmt] = h.operandsOf(n.Stmt)
		}
	}
	for _, c := range h.plan.Classes {
		set := newPredSet()
		for _, p := range preds {
			if p.This == c.This {
				set.add(p)
			}
		}
		h.preds[c] = set.global
	}
	return h, nil
}

// places lists the object predicates with all pointers that procedures follow, and with any, and the
// members that are kept.
func (h *heap) places(procs []*core.Proc) (list []core.Expr) {
	with := func(pointer core.Expr, c *refs.Class) {
		for _, p := range h.preds[c] {
			list = append(list, h.of(p, pointer))
		}
	}
	for _, c := range h.plan.Classes {
		with(c.This.Ref(), c)
		for _, f := range c.Fields {
			list = append(list, c.Place(f))
		}
	}
	for _, p := range procs {
		for _, n := range p.Nodes {
			exprs := h.operands(n.Stmt)
			if c, ok := n.Stmt.(*core.Call); ok && c.Lhs != nil {
				exprs = append(exprs, c.Lhs)
			}
			for _, roles := range h.roles(exprs) {
				for _, f := range h.follows(exprs, roles) {
					with(f.pointer, f.class)
				}
			}
		}
	}
	return list
}

// notes says which types are kept, and why others are not.
func (h *heap) notes() (list []string) {
	for _, c := range h.plan.Classes {
		text := fmt.Sprintf("%s is kept as class %s: %s", c.Record.Name, c.Name, c.Why)
		for i, f := range c.Fields {
			text += [...]string{"; its pointers ", ", "}[min(i, 1)] + f.Name
		}
		for i, in := range c.Inner {
			text += [...]string{"; its parts ", ", "}[min(i, 1)] + in.Down()
		}
		for i, f := range h.weakFields(c) {
			text += [...]string{"; written through pointers to them, too, and forgotten then: ", ", "}[min(i, 1)] + f.Name
		}
		for i, o := range h.plan.Unnamed(c) {
			text += [...]string{"; objects without names of their own, since there are many, in ", ", "}[min(i, 1)] + o.Name
		}
		list = append(list, text)
	}
	for _, r := range h.plan.Refused {
		list = append(list, fmt.Sprintf("%s is not kept: %s", r.Record.Name, r.Why))
	}
	return list
}

// Assumptions returns the lines of the ledger that the references need. An object whose life has ended is
// still one of the Boolean program, and different from all others, while a new one may have its address
// in C.
func (h *heap) Assumptions(a *abstraction) (lines []string) {
	// 1. The classes of objects that are freed, or are variables of a procedure.
	freed := map[*refs.Class]bool{}
	for _, p := range a.procs {
		for _, v := range slices.Concat(p.Formals, p.Locals) {
			for _, c := range h.plan.In(v) {
				freed[c] = true
			}
		}
		for _, n := range p.Nodes {
			if free, ok := n.Stmt.(*core.Free); ok {
				for _, t := range a.alias.PointsTo(free.Ptr).Targets() {
					for _, c := range h.plan.Of(t.Object) {
						freed[c] = true
					}
				}
			}
		}
	}
	// 2. A line for each.
	for _, c := range h.plan.Classes {
		if freed[c] {
			lines = append(lines, fmt.Sprintf("pointers: one to an object of %s whose life has ended is not compared with others", c.Record.Name))
		}
	}
	return lines
}
