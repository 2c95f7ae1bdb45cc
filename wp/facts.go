package wp

import (
	"c2bp/frontend/core"
	"c2bp/logic"
)

// This file states facts that hold where a statement is executed, because it would be undefined
// otherwise.

// Facts returns facts that hold in any state in which s is defined: each pointer that it follows in
// any case points to its single target, if it has one (Aliases.Followed).
//
//	static struct dev dev;
//	static void irq(struct dev *d) { n = d->n; reset(d); }    d == &dev, before and after
//	                                                          n = d->n, if all callers pass
//	                                                          &dev, or nothing valid
//
// Pointers that s follows depending on a value, as in c ? *p : 0, do not count, nor those that it
// follows after the return from a call, which may never happen.
func (tr *Translator) Facts(s core.Stmt) (facts []*logic.Term) {
	for _, e := range executed(s) {
		core.Walk(e, func(e core.Expr) bool { return tr.follow(e, &facts) })
	}
	return facts
}

// executed lists the expressions that s evaluates in any case.
func executed(s core.Stmt) (list []core.Expr) {
	switch s := s.(type) {
	case *core.Assume:
		return []core.Expr{s.Cond}
	case *core.Assert:
		return []core.Expr{s.Cond}
	case *core.Assign:
		for _, l := range s.Lhs {
			list = append(list, l)
		}
		return append(list, s.Rhs...)
	case *core.Call:
		return s.Args
	}
	return nil
}

// follow adds the fact about e itself, and reports whether its operands are evaluated in any case.
func (tr *Translator) follow(e core.Expr, facts *[]*logic.Term) bool {
	// first visits an operand that is evaluated in any case; the others are not visited.
	first := func(e core.Expr) bool {
		core.Walk(e, func(e core.Expr) bool { return tr.follow(e, facts) })
		return false
	}
	switch e := e.(type) {
	case *core.Cond:
		return first(e.C)
	case *core.Binary:
		if e.Op.IsLogical() {
			return first(e.X)
		}
	case *core.Mem:
		if to := tr.mem.aliases.Followed(e.Addr); to != e.Addr {
			*facts = append(*facts, tr.T.Eq(tr.Value(e.Addr), tr.Value(to)))
		}
	}
	return true
}
