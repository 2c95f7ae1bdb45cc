package abstract

import (
	"context"
	"fmt"
	"slices"

	"c2bp/abstract/refs"
	"c2bp/boolprog"
	"c2bp/frontend/core"
	"c2bp/wp"
)

// This file passes references into calls and out of them. With kept pointers p, q and r,
//
//	r->next = f(p, e)
//
// becomes, if no reference expresses e,
//
//	{dest to dev} := r; {arg 2 to dev} := any dev new;
//	…, {result to dev} := f(…, p, {arg 2 to dev});
//	assume({dest to dev} != null); {dest to dev}.next := {result to dev};
//
// since the place of the result is found before the call, and is written after it.

// argName, destName and resultName return the names of references around a call.
func argName(i int, c *refs.Class) string { return fmt.Sprintf("{arg %d to %s}", i+1, c.Name) }
func destName(c *refs.Class) string       { return fmt.Sprintf("{dest to %s}", c.Name) }
func resultName(c *refs.Class) string     { return fmt.Sprintf("{result to %s}", c.Name) }

// passRefs adds the references among the arguments to a call, and returns the statements before it.
func (s *scope) passRefs(c *core.Call, op *boolprog.Call) (before []*boolprog.Stmt) {
	h := s.a.heap
	if h == nil {
		return nil
	}
	for i, f := range c.Callee.Formals {
		classes := h.plan.Var(f)
		for _, class := range classes {
			value, ok := h.reference(c.Args[i], class, classes, s.follows)
			if !ok { // a choice is no argument
				name := &boolprog.Ref{Name: argName(i, class)}
				before = append(before, assignRef(name, value))
				value = name
			}
			op.Args = append(op.Args, value)
		}
	}
	return before
}

// assignRef returns the assignment of one reference.
func assignRef(to *boolprog.Ref, value boolprog.Expr) *boolprog.Stmt {
	return &boolprog.Stmt{Op: &boolprog.Assign{Lhs: []*boolprog.Ref{to}, Rhs: []boolprog.Expr{value}}}
}

// place is where a call stores its result, as far as references are concerned.
type place struct {
	slots  []slot // the references for it: variables, or members of dest; none if it is not kept
	dest   follow // the object with the place, if it has one
	inside bool   // it has
}

// placeOf returns the place of the result of a call, and the statements before the call.
func (s *scope) placeOf(ctx context.Context, c *core.Call) (p place, before []*boolprog.Stmt, err error) {
	h := s.a.heap
	if h == nil || c.Lhs == nil {
		return place{}, nil, nil
	}
	if _, isVar := c.Lhs.(*core.VarRef); isVar {
		if p.slots = h.targets(c.Lhs, nil); len(p.slots) > 0 {
			return p, nil, nil
		}
	}
	// 1. The object is found before the call, and those that lead to it. That it is there matters only
	// after the call.
	var inner []follow
	if p.dest, inner, p.inside = s.destOf(c); !p.inside {
		return p, nil, nil
	}
	if before, err = s.enter(ctx, inner, p.dest.from()); err != nil {
		return p, nil, err
	}
	load, err := s.load(ctx, p.dest, inner)
	if err != nil {
		return p, nil, err
	}
	// 2. A name of its own for the object.
	dest := &boolprog.Ref{Name: destName(p.dest.class)}
	before = append(append(before, load...), assignRef(dest, &boolprog.Ref{Name: p.dest.name}))
	p.dest.name = dest.Name
	p.slots = h.targets(c.Lhs, []follow{p.dest})
	return p, before, nil
}

// destOf returns the object in which a call stores its result, and the pointers that lead to it; ok is false if it is
// none, or one of several.
func (s *scope) destOf(c *core.Call) (dest follow, inner []follow, ok bool) {
	if c.Lhs == nil {
		return follow{}, nil, false
	}
	// 1. The innermost one, wholly.
	h := s.a.heap
	fs, address := h.destination(c, s.roles), s.addressOf(c.Lhs)
	place := h.plan.Locate(address, core.Bytes(c.Lhs.Type()), known(fs))
	i := slices.IndexFunc(fs, func(f follow) bool { return core.Equal(f.pointer, place.Pointer) })
	if i < 0 || !place.At.Within(fs[i].class.Record.Size) {
		return follow{}, nil, false
	}
	// 2. All others there are around it.
	for _, x := range h.plan.Places(address, core.Bytes(c.Lhs.Type()), known(fs)) {
		if f, ok := find(fs, x.Pointer); !ok || f.class != fs[i].class && len(f.class.Embeds(fs[i].class)) == 0 {
			return follow{}, nil, false
		}
	}
	// 3. A part of an object that need not be there before the call, but was found then.
	dest, inner = fs[i], slices.Delete(slices.Clone(fs), i, i+1)
	if dest.steps != nil {
		way := *dest.steps
		if from, _ := find(fs, way.from); from.steps != nil {
			return follow{}, nil, false
		}
		way.mayBeNull = true
		dest.steps = &way
	}
	return dest, inner, true
}

// destination lists the pointers that lead to the place of the result of a call, under names of their own;
// none if the place is in several objects.
func (h *heap) destination(c *core.Call, roles []role) []follow {
	if c.Lhs == nil {
		return nil
	}
	list := h.follows([]core.Expr{c.Lhs}, roles)
	for i, f := range list {
		if !f.kept {
			list[i].name = fmt.Sprintf("{dest %d to %s}", i+1, f.class.Name)
		}
	}
	return list
}

// kept reports whether references hold all that a callee returns where it is stored.
func (h *heap) kept(c *core.Call, p place) bool {
	if !c.Callee.HasBody() || c.Callee.Result == nil || len(p.slots) == 0 {
		return false
	}
	classes := h.plan.Var(c.Callee.Result)
	missing := func(r *refs.Class) bool { return !slices.Contains(classesIn(p.slots), r) }
	return len(classes) > 0 && !slices.ContainsFunc(classes, missing)
}

// takeRef adds the references that the callee returns, if it returns some, to a call.
func (s *scope) takeRef(c *core.Call, p place, op *boolprog.Call) {
	h := s.a.heap
	if h == nil || c.Callee.Result == nil {
		return
	}
	kept := h.kept(c, p)
	for _, class := range h.plan.Var(c.Callee.Result) {
		to := &boolprog.Ref{Name: "_"}
		if kept {
			to = &boolprog.Ref{Name: resultName(class)}
			if !p.inside {
				to = p.slots[slices.Index(classesIn(p.slots), class)].ref
			}
		}
		op.Lhs = append(op.Lhs, to)
	}
}

// storeRef returns the statements that store the result of a call where references are concerned. after
// is the scope after the call.
func (s *scope) storeRef(ctx context.Context, c *core.Call, p place, around *wp.Call, after *scope) (out []*boolprog.Stmt, err error) {
	h := s.a.heap
	if h == nil || c.Lhs == nil {
		return nil, nil
	}
	// 1. The references for the place. Those for objects that the callee returns are assigned by the call.
	kept, op := h.kept(c, p), &boolprog.Assign{}
	for _, x := range p.slots {
		var value boolprog.Expr = &boolprog.Any{Class: x.class.Name, New: true}
		returned := kept && slices.Contains(h.plan.Var(c.Callee.Result), x.class)
		switch {
		case returned && !p.inside:
			continue
		case returned:
			value = &boolprog.Ref{Name: resultName(x.class)}
		case kept:
			value = &boolprog.Null{}
		}
		op.Lhs, op.Rhs = append(op.Lhs, x.ref), append(op.Rhs, value)
	}
	if !p.inside {
		if len(op.Lhs) > 0 {
			out = append(out, &boolprog.Stmt{Op: op})
		}
		return out, nil
	}
	// 2. The object with the place is there.
	out = append(out, &boolprog.Stmt{Op: &boolprog.Assume{Cond: notNull(p.dest.name)}})
	x := *s
	x.follows = []follow{p.dest}
	x.overwritten(c.Lhs, p.slots, op)
	// 3. Predicates of the object.
	v, isVar := p.dest.pointer.(*core.VarRef)
	same := p.dest.sure || isVar && v.Var.Kind != core.Global // the pointer leads to the object after the call, too
	for _, q := range h.preds[p.dest.class] {
		t := s.tr.Cond(h.of(q, p.dest.pointer))
		wlp := around.Store(t)
		if wlp == t {
			continue
		}
		var rhs boolprog.Expr = &boolprog.Nondet{}
		if same {
			if rhs, _, err = after.value(ctx, -1, wlp); err != nil {
				return nil, err
			}
		}
		op.Lhs = append(op.Lhs, &boolprog.Ref{Name: p.dest.name, Field: q.Var()})
		op.Rhs = append(op.Rhs, rhs)
	}
	if len(op.Lhs) > 0 {
		out = append(out, &boolprog.Stmt{Op: op})
	}
	return out, nil
}
