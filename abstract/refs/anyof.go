package refs

import (
	"slices"

	"c2bp/alias"
	"c2bp/frontend/core"
)

// This file finds an expression that leads to all objects of a class, for the questions of the alias analysis.

// anyOf returns an expression whose targets are all objects of a class to which something leads that the
// program follows.
func (p *Plan) anyOf(c *Class) core.Expr {
	u := &union{plan: p, reached: map[alias.Target]bool{}}
	// 1. Variables that are kept, and objects in variables.
	p.eachVar(func(v *core.Var) {
		if slices.Contains(p.vars[v], c) {
			u.add(v.Ref())
		}
	})
	for _, o := range p.result.Objects() {
		for _, x := range p.parts[o] {
			if x.class == c && o.Var != nil {
				u.add(x.any(o.Var, p.prog.Pointer()))
			}
		}
	}
	// 2. Parts of others.
	for _, i := range c.Outer {
		u.add(&core.Offset{X: i.Owner.This.Ref(), Off: i.Off})
	}
	// 3. Objects to which only pointers in other objects lead, or pointers that are not kept.
	for _, a := range p.accesses {
		if a.record != c.Record {
			continue
		}
		for _, t := range a.first.Targets() {
			if !u.reached[t] && (slices.Contains(p.classesAt(t), c) || t.Object.Kind == alias.Outside && !c.mixed) {
				u.add(a.object)
				break
			}
		}
	}
	if u.e == nil {
		return core.Null(p.prog.Pointer())
	}
	return u.e
}

// union is an expression that has the targets of several.
type union struct {
	plan    *Plan
	e       core.Expr
	reached map[alias.Target]bool // its targets
}

// add adds the targets of x.
func (u *union) add(x core.Expr) {
	for _, t := range u.plan.result.PointsTo(x).Targets() {
		u.reached[t] = true
	}
	if u.e == nil {
		u.e = x
	} else {
		u.e = &core.Cond{C: core.NewConst(1, core.Int32), X: u.e, Y: x}
	}
}
