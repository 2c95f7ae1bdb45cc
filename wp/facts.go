package wp

import (
	"math/big"

	"c2bp/frontend/core"
	"c2bp/logic"
)

// This file states facts that hold where a statement is executed, because it would be undefined
// otherwise.

// Facts returns facts that hold in any state in which s is defined: each pointer that it follows in
// any case points to its single target, if it has one (Aliases.Followed), is not null, and is no error number.
//
//	static struct dev dev;
//	static void irq(struct dev *d) { n = d->n; reset(d); }    d == &dev, before and after
//	                                                          n = d->n, if all callers pass
//	                                                          &dev, or nothing valid
//
// A pointer that s moves back is in no object of the first page, either:
//
//	item = container_of(node, struct item, node)       node is not 8, so item is not null
//
// Pointers that s follows depending on a value, as in c ? *p : 0, do not count, nor those that it
// follows after the return from a call, which may never happen.
func (tr *Translator) Facts(s core.Stmt) (facts []*logic.Term) {
	for _, m := range Accesses(s) {
		if to := tr.mem.aliases.Followed(m.Addr); to != m.Addr {
			facts = append(facts, tr.T.Eq(tr.Value(m.Addr), tr.Value(to)))
		}
		if p := Base(m); p != nil {
			facts = append(facts, tr.Cond(NotNull(p, tr.mem.bits)), tr.Cond(NoError(p, tr.mem.bits)))
		}
	}
	for _, p := range MovedBack(s) {
		facts = append(facts, tr.Cond(InNoFirstPage(p, tr.mem.bits)))
	}
	return facts
}

// Accesses lists the places in memory that s reads or writes in any case, by pointers.
func Accesses(s core.Stmt) (list []*core.Mem) {
	Evaluated(s, func(e core.Expr) {
		if m, ok := e.(*core.Mem); ok {
			list = append(list, m)
		}
	})
	return list
}

// Evaluated visits the expressions that s evaluates in any case, with their operands: of c ? x : y it visits c alone.
func Evaluated(s core.Stmt, visit func(core.Expr)) {
	var all func(e core.Expr) bool
	all = func(e core.Expr) bool {
		visit(e)
		switch e := e.(type) {
		case *core.Cond:
			core.Walk(e.C, all)
			return false
		case *core.Binary:
			if e.Op.IsLogical() {
				core.Walk(e.X, all)
				return false
			}
		}
		return true
	}
	for _, e := range executed(s) {
		core.Walk(e, all)
	}
}

// mostErrors is the number of error numbers that a pointer may be instead, as Linux has them: (void *)-12, but not beyond
// the last page. No object is there.
const mostErrors = 4095

// NotNull returns the fact that the Base p of an access is not null.
func NotNull(p core.Loc, bits int) core.Expr {
	return &core.Binary{Op: core.Ne, X: p, Y: core.Null(core.Ptr{Bits: bits})}
}

// NoError returns the fact that the Base p of an access is no error number, the test for which is that of IS_ERR in Linux.
func NoError(p core.Loc, bits int) core.Expr {
	word := core.Int{Bits: bits}
	least := new(big.Int).Lsh(big.NewInt(1), uint(bits))
	least.Sub(least, big.NewInt(mostErrors))
	return &core.Binary{Op: core.Lt, X: &core.ToInt{X: p, To: word}, Y: &core.Const{Val: least, Typ: word}}
}

// MovedBack lists the pointers from which s computes, in any case, the address of a place less than a page before
// (core.MovedBack).
func MovedBack(s core.Stmt) (list []core.Loc) {
	Evaluated(s, func(e core.Expr) {
		if p := core.MovedBack(e); p != nil {
			list = append(list, p)
		}
	})
	return list
}

// InNoFirstPage returns the fact that p, which is moved within its object (C17 6.5.6p8), is null or in no object of the first page.
func InNoFirstPage(p core.Loc, bits int) core.Expr {
	word := core.Int{Bits: bits}
	return &core.Binary{Op: core.LOr,
		X: &core.Binary{Op: core.Eq, X: p, Y: core.Null(core.Ptr{Bits: bits})},
		Y: &core.Binary{Op: core.Ge, X: &core.ToInt{X: p, To: word}, Y: core.NewConst(core.PageSize, word)}}
}

// Tested returns the pointer p that e compares with error numbers, as IS_ERR does; nil if e is no such test.
func Tested(e core.Expr, bits int) core.Loc {
	b, ok := e.(*core.Binary)
	if !ok || !b.Op.IsComparison() {
		return nil
	}
	n, isInt := b.X.(*core.ToInt)
	c, isConst := b.Y.(*core.Const)
	if !isInt || !isConst || c.Val.BitLen() < bits {
		return nil
	}
	p, _ := n.X.(core.Loc)
	return p
}

// Base returns the pointer p of an access to p->f, which leads to no address in the first or last page: no object is there.
// It is nil if the access is none such.
func Base(m *core.Mem) core.Loc {
	addr, off := m.Addr, int64(0)
	for {
		o, ok := addr.(*core.Offset)
		if !ok {
			break
		}
		addr, off = o.X, off+o.Off
	}
	p, ok := addr.(core.Loc)
	if !ok || off < 0 || off >= core.PageSize {
		return nil
	}
	return p
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
