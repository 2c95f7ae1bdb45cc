package abstract

import (
	"context"
	"fmt"

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
		class := h.plan.Var(f)
		if class == nil {
			continue
		}
		value, ok := h.reference(c.Args[i], class, s.follows)
		if !ok { // a choice is no argument
			name := &boolprog.Ref{Name: argName(i, class)}
			before = append(before, assignRef(name, value))
			value = name
		}
		op.Args = append(op.Args, value)
	}
	return before
}

// assignRef returns the assignment of one reference.
func assignRef(to *boolprog.Ref, value boolprog.Expr) *boolprog.Stmt {
	return &boolprog.Stmt{Op: &boolprog.Assign{Lhs: []*boolprog.Ref{to}, Rhs: []boolprog.Expr{value}}}
}

// place is where a call stores its result, as far as references are concerned.
type place struct {
	class  *refs.Class   // of the result; nil if it is no reference
	direct *boolprog.Ref // a variable that is kept, to which it is assigned
	dest   follow        // the object with the place, if it has one
	inside bool          // it has
	field  *boolprog.Ref // the member of that object that is kept; nil if it is another one
}

// placeOf returns the place of the result of a call, and the statements before the call.
func (s *scope) placeOf(c *core.Call) (p place, before []*boolprog.Stmt) {
	h := s.a.heap
	if h == nil || c.Lhs == nil {
		return place{}, nil
	}
	switch l := c.Lhs.(type) {
	case *core.VarRef:
		if p.class = h.plan.Var(l.Var); p.class != nil {
			p.direct = &boolprog.Ref{Name: refName(l.Var)}
			return p, nil
		}
	}
	// The object is found before the call.
	fs := h.follows([]core.Expr{c.Lhs})
	if len(fs) == 0 {
		return p, nil
	}
	address := core.Base(s.addressOf(c.Lhs))
	for _, f := range fs {
		if core.Equal(f.pointer, address) {
			p.dest, p.inside = f, true
		}
	}
	if !p.inside {
		return p, nil
	}
	inner := fs[:len(fs)-1] // those that lead to it
	before = h.enter(inner)
	dest := &boolprog.Ref{Name: destName(p.dest.class)}
	before = append(before, assignRef(dest, h.read(p.dest.pointer, inner)))
	p.dest.name = dest.Name
	if m, ok := c.Lhs.(*core.Mem); ok {
		if f := h.plan.Member(m); f != nil {
			p.class = f.Class
			p.field = &boolprog.Ref{Name: dest.Name, Field: f.Name}
		}
	}
	return p, before
}

// takeRef adds the reference that the callee returns, if it returns one, to a call.
func (s *scope) takeRef(c *core.Call, p place, op *boolprog.Call) {
	h := s.a.heap
	if h == nil || c.Callee.Result == nil {
		return
	}
	class := h.plan.Var(c.Callee.Result)
	switch {
	case class == nil:
	case class != p.class:
		op.Lhs = append(op.Lhs, &boolprog.Ref{Name: "_"})
	case p.direct != nil:
		op.Lhs = append(op.Lhs, p.direct)
	default:
		op.Lhs = append(op.Lhs, &boolprog.Ref{Name: resultName(class)})
	}
}

// storeRef returns the statements that store the result of a call where references are concerned. after
// is the scope after the call.
func (s *scope) storeRef(ctx context.Context, c *core.Call, p place, around *wp.Call, after *scope) (out []*boolprog.Stmt, err error) {
	h := s.a.heap
	if h == nil || c.Lhs == nil {
		return nil, nil
	}
	returned := c.Callee.HasBody() && c.Callee.Result != nil && p.class != nil && h.plan.Var(c.Callee.Result) == p.class
	if p.direct != nil && !returned {
		out = append(out, assignRef(p.direct, &boolprog.Any{Class: p.class.Name, New: true}))
	}
	if !p.inside {
		return out, nil
	}
	// 1. The object with the place is there.
	out = append(out, &boolprog.Stmt{Op: &boolprog.Assume{Cond: notNull(p.dest.name)}})
	op := &boolprog.Assign{}
	// 2. A member that is kept.
	if p.field != nil {
		var value boolprog.Expr = &boolprog.Any{Class: p.class.Name, New: true}
		if returned {
			value = &boolprog.Ref{Name: resultName(p.class)}
		}
		op.Lhs, op.Rhs = append(op.Lhs, p.field), append(op.Rhs, value)
	}
	x := *s
	x.follows = []follow{p.dest}
	x.overwritten(c.Lhs, p.field, op)
	// 3. Predicates of the object.
	v, isVar := p.dest.pointer.(*core.VarRef)
	same := p.dest.sure || isVar && v.Var.Kind != core.Global // the pointer leads to the object after the call, too
	for _, q := range h.preds[p.dest.class] {
		t := s.tr.Cond(q.of(p.dest.pointer))
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
