package abstract

import (
	"context"
	"fmt"
	"slices"

	"c2bp/abstract/refs"
	"c2bp/boolprog"
	"c2bp/frontend/core"
)

// This file abstracts nodes with references.

// heapNode abstracts a node in a program with references. Where a pointer that the node follows may lead to
// objects of several classes, the node becomes a choice among these:
//
//	if (*) then assume({p as dev} != null); … else assume({p as lamp} != null); … fi
func (s *scope) heapNode(ctx context.Context, node int) (out []*boolprog.Stmt, err error) {
	n := s.proc.Nodes[node]
	exprs := s.a.heap.operands(n.Stmt)
	if c, ok := n.Stmt.(*core.Call); ok && c.Lhs != nil {
		exprs = append(exprs, c.Lhs)
	}
	list := s.a.heap.roles(exprs)
	var arms [][]*boolprog.Stmt
	for _, roles := range list {
		x := *s
		x.roles = roles
		body, err := x.roleNode(ctx, node)
		if err != nil {
			return nil, err
		}
		s.limited = s.limited || x.limited
		if len(list) == 1 {
			return body, nil
		}
		arms = append(arms, body)
	}
	return []*boolprog.Stmt{oneOf(arms)}, nil
}

// oneOf returns the statement that executes one of several lists.
func oneOf(arms [][]*boolprog.Stmt) *boolprog.Stmt {
	op, last := &boolprog.If{}, len(arms)-1
	for _, arm := range arms[:last] {
		op.Conds, op.Thens = append(op.Conds, &boolprog.Nondet{}), append(op.Thens, arm)
	}
	op.Else = arms[last]
	return &boolprog.Stmt{Op: op}
}

// withoutSkips returns the statements that are no skips.
func withoutSkips(list []*boolprog.Stmt) []*boolprog.Stmt {
	return slices.DeleteFunc(list, func(st *boolprog.Stmt) bool { _, is := st.Op.(*boolprog.Skip); return is })
}

// roleNode is heapNode where the classes of all objects are given.
func (s *scope) roleNode(ctx context.Context, node int) ([]*boolprog.Stmt, error) {
	h, n := s.a.heap, s.proc.Nodes[node]
	// 1. The pointers that the node follows are not null.
	fs := h.follows(h.operands(n.Stmt), s.roles)
	out, err := s.enter(ctx, fs, nil)
	if err != nil {
		return nil, err
	}
	// 2. The node itself, where pointers that only predicates follow are null, and where they are not.
	consulted, sure := s.consulted(node, fs)
	var arms [][]*boolprog.Stmt
	for there := range 1 << len(consulted) {
		arm, seen, err := s.presence(ctx, consulted, there, fs)
		if err != nil {
			return nil, err
		}
		body, err := s.atNode(ctx, node, fs, append(seen, sure...))
		if err != nil {
			return nil, err
		}
		if len(consulted) == 0 {
			out = append(out, body...)
			continue
		}
		arms = append(arms, withoutSkips(append(arm, body...)))
	}
	if len(consulted) > 0 {
		out = append(out, oneOf(arms))
	}
	out = withoutSkips(out)
	if len(out) == 0 {
		return skip(), nil
	}
	return out, nil
}

// atNode abstracts a node that follows fs, over the predicates of the objects that seen lead to.
func (s *scope) atNode(ctx context.Context, node int, fs, seen []follow) ([]*boolprog.Stmt, error) {
	h, n := s.a.heap, s.proc.Nodes[node]
	// 1. The node itself, over more predicates.
	x := s.withHeap(h.atoms(seen, h.compared(s.proc, node, seen, s.preds)))
	x.follows, x.led = seen, fs
	if c, ok := n.Stmt.(*core.Call); ok {
		if dest, inner, ok := s.destOf(c); ok {
			x.led = append(append(fs[:len(fs):len(fs)], inner...), dest)
			x.dest = dest.class
		}
	}
	out, err := x.plainNode(ctx, n)
	if err != nil {
		return nil, err
	}
	s.limited = s.limited || x.limited
	out = append(h.feasible(seen, out), out...)
	out = append(out, x.allocParts(n.Stmt)...)
	out = append(out, x.unsetRefs(n.Stmt)...)
	// 2. Pointers of the program that a function without a body changes, and fields of objects to which no
	// reference leads here.
	out = append(out, x.changedOutside(n.Stmt)...)
	if dead := x.weakened(n.Stmt); dead != nil {
		out = append(out, &boolprog.Stmt{Op: dead})
	}
	return out, nil
}

// mostConsulted bounds the pointers of which a node is told apart whether they are null.
const mostConsulted = 2

// consulted lists kept pointers that a node does not follow, but predicates do whose values it changes: with
// d->count == n in scope, n = 3 makes it d->count == 3, which the object may know. They may be null, but for
// those that are sure.
func (s *scope) consulted(node int, fs []follow) (list, sure []follow) {
	// 1. The predicates, as they are before the node.
	var exprs []core.Expr
	h, st := s.a.heap, s.proc.Nodes[node].Stmt
	switch st := st.(type) {
	case *core.Call:
		if st.Callee.HasBody() {
			exprs = s.a.withActuals(st)
		}
	case *core.Assign:
		for _, p := range s.preds {
			e := core.Replace(p.Expr, func(e core.Expr) core.Expr {
				for i, l := range st.Lhs {
					if v := variable(l); v != nil && core.Equal(e, l) {
						return st.Rhs[i]
					}
				}
				return nil
			})
			if !core.Equal(e, p.Expr) {
				exprs = append(exprs, e)
			}
		}
	}
	// 2. Variables, and members of objects that the node follows.
	own := h.operands(st)
	for _, e := range exprs {
		for _, f := range h.follows(append(own[:len(own):len(own)], e), s.roles) {
			_, followed := find(fs, f.pointer)
			_, again := find(append(list[:len(list):len(list)], sure...), f.pointer)
			switch {
			case followed || again || len(h.preds[f.class]) == 0:
				continue
			case f.sure:
				if f.kept {
					sure = append(sure, f)
				}
				continue
			case len(list) == mostConsulted:
				continue
			}
			switch x := f.pointer.(type) {
			case *core.VarRef:
				if h.isSet(s.proc, node, x.Var) {
					list = append(list, f)
				}
			case *core.Mem:
				if place := h.plan.Locate(x.Addr, core.Bytes(x.Typ), known(fs)); place.Pointer != nil {
					if _, through := find(fs, place.Pointer); through {
						f.name = consultedName(f.class, len(list))
						list = append(list, f)
					}
				}
			}
		}
	}
	return list, sure
}

// consultedName returns the name of consulted reference i of a node, for pointers that no variable holds.
func consultedName(c *refs.Class, i int) string { return fmt.Sprintf("{seen %d to %s}", i+1, c.Name) }

// presence returns the statements of the case in which the consulted pointers whose bits are set in there lead
// to objects, and the others are null; and the pointers that lead to objects then.
func (s *scope) presence(ctx context.Context, consulted []follow, there int, fs []follow) (out []*boolprog.Stmt, seen []follow, err error) {
	seen = slices.Clone(fs)
	for i, f := range consulted {
		load, err := s.load(ctx, f, fs)
		if err != nil {
			return nil, nil, err
		}
		out = append(out, load...)
		cond := &boolprog.Binary{Op: boolprog.Eq, X: &boolprog.Ref{Name: f.name}, Y: &boolprog.Null{}}
		if there&(1<<i) != 0 {
			cond.Op = boolprog.Ne
			seen = append(seen, f)
		}
		out = append(out, &boolprog.Stmt{Op: &boolprog.Assume{Cond: cond}})
	}
	return out, seen, nil
}
