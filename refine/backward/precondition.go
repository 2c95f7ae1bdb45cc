package backward

import (
	"c2bp/frontend/core"
	"c2bp/refine/algebra"
	"c2bp/refine/cex"
)

// This file carries atoms back through statements within a procedure: weakest preconditions of single
// comparisons, as core expressions.

// through carries the frontier back through the statement of a step, which is no call of a procedure
// with a body.
func (w *Walk) through(f *cex.Frame, step int) {
	stmt, facts := w.statement(w.Path.Steps[step].Stmt())
	// 1. Pointers that the statement follows are those on the path.
	old := w.frontier
	w.frontier = nil
	// 2. An input is about to take atoms away: add their consequences without it.
	switch s := stmt.(type) {
	case *core.Havoc:
		for _, l := range s.Locs {
			old = w.eliminate(old, l)
		}
	case *core.Call: // of a procedure without a body
		if s.Lhs != nil {
			old = w.eliminate(old, s.Lhs)
		}
	}
	// 3. Carry each atom back.
	depends := false
	for _, a := range old {
		before := w.precondition(a, stmt)
		depends = depends || len(before) != 1 || before[0] != a
		w.addAll(before)
	}
	// 4. If the statement mattered, so does where its pointers point.
	if depends {
		w.addAll(facts)
	}
}

// precondition returns the atoms before statement s that together decide atom a after it, as far as
// that is known; none if an input decides a.
func (w *Walk) precondition(a core.Expr, s core.Stmt) []core.Expr {
	switch s := s.(type) {
	case *core.Assign:
		return w.preconditionOfAssign(a, s)
	// An input decides the atoms that read the places that it sets.
	case *core.Havoc:
		if s.Region && algebra.ReadsMemory(a) {
			return nil
		}
		return w.preconditionOfInput(a, s.Locs...)
	case *core.Alloc:
		return w.preconditionOfInput(a, s.Lhs)
	// Ranges of bytes: the contents of a place are known of zeros, known bytes, and copies.
	case *core.Fill:
		return w.preconditionOfRange(a, s.Dst, s.Size, func(*core.Mem, int64) core.Expr {
			if b, ok := s.Byte.(*core.Const); ok && b.Val.Sign() == 0 {
				return b
			}
			return nil
		})
	case *core.Data:
		return w.preconditionOfRange(a, s.Dst, core.NewConst(int64(len(s.Bytes)), core.Uint64), func(m *core.Mem, off int64) core.Expr {
			return algebra.LiteralValue(s.Bytes[off:], m)
		})
	case *core.Copy:
		return w.preconditionOfRange(a, s.Dst, s.Size, func(m *core.Mem, off int64) core.Expr {
			return m.At(rebased(m.Addr, s.Dst, s.Src, off))
		})
	// All that the procedure may change is an input.
	case *core.Call: // of a procedure without a body
		for _, l := range core.Locs(a) {
			if w.Alias.Affected(s, l) {
				return nil
			}
		}
		if s.Lhs != nil {
			return w.preconditionOfInput(a, s.Lhs)
		}
	}
	return []core.Expr{a}
}

// preconditionOfInput returns the precondition of atom a before an input sets places: none if it sets one that a
// reads. Where a pointer decides whether it does, the atoms are those of the case that it does not: a as it is, and
// the equation of the two addresses.
//
//	x < n       before  x = input()       none
//	q->n == 1   before  p->n = input()    q->n == 1, q == p
func (w *Walk) preconditionOfInput(a core.Expr, places ...core.Loc) []core.Expr {
	out := []core.Expr{a}
	for _, l := range places {
		if v := algebra.Variable(l); v != nil && !v.InMemory() {
			if core.Mentions(a, func(u *core.Var) bool { return u == v }) {
				return nil
			}
			continue
		}
		for _, m := range core.Loads(a) {
			if !w.Aliases.MayAlias(m, l) {
				continue
			}
			p, q := algebra.Address(m, w.Bits), algebra.Address(l, w.Bits)
			if p == nil || q == nil {
				return nil
			}
			// 1. At constant offsets from one base it is known.
			if d, known := distance(p, q); known {
				if d < core.Bytes(l.Type()) && -d < core.Bytes(m.Type()) {
					return nil
				}
				continue
			}
			// 2. Otherwise the pointers decide, unless there are too many of them.
			if len(out) > 4 {
				return nil
			}
			out = append(out, &core.Binary{Op: core.Eq, X: p, Y: q})
		}
	}
	return out
}

// reads reports whether e may read l.
func (w *Walk) reads(e core.Expr, l core.Loc) bool {
	if v := algebra.Variable(l); v != nil && !v.InMemory() {
		return core.Mentions(e, func(u *core.Var) bool { return u == v })
	}
	for _, m := range core.Loads(e) {
		if w.Aliases.MayAlias(m, l) {
			return true
		}
	}
	return false
}

// preconditionOfAssign returns the precondition of atom a before an assignment: the values take the
// place of the lvalues.
//
//	x < n       before  x = x + 1         x + 1 < n
//	*p == 1     before  *p = v            v == 1
//	*q == 1     before  *p = v            *q == 1, v == 1, q == p
func (w *Walk) preconditionOfAssign(a core.Expr, s *core.Assign) []core.Expr {
	// 1. Variables outside of memory are substituted at the end: values are about the state before.
	values := map[*core.Var]core.Expr{}
	for i, l := range s.Lhs {
		if v := algebra.Variable(l); v != nil && !v.InMemory() {
			values[v] = s.Rhs[i]
		}
	}
	// 2. Memory: each place that the atom reads may be one that is written.
	out := []core.Expr{a}
	for i, l := range s.Lhs {
		if v := algebra.Variable(l); v != nil && !v.InMemory() {
			continue
		}
		for _, m := range core.Loads(a) {
			if !w.Aliases.MayAlias(m, l) {
				continue
			}
			// a. The bytes of the place and of the write overlap in a known way, but not one to one.
			if e, ok := algebra.Overlay(m, l, s.Rhs[i], w.Bits); ok && (m.Type() != l.Type() || algebra.Bit(m) != algebra.Bit(l)) {
				out = inPlace(out, m, e)
			} else if m.Type() == l.Type() {
				out = w.overwritten(out, m, l, s.Rhs[i])
			}
		}
	}
	// 3. Substitute variables.
	if len(values) == 0 {
		return out
	}
	for i, e := range out {
		out[i] = core.Replace(e, func(x core.Expr) core.Expr {
			if r, ok := x.(*core.VarRef); ok && values[r.Var] != nil {
				return values[r.Var]
			}
			return nil
		})
	}
	return out
}

// distance returns how many bytes p is after q; known is false if they are not at constant offsets from one base.
func distance(p, q core.Expr) (d int64, known bool) {
	base1, off1 := algebra.Base(p)
	base2, off2 := algebra.Base(q)
	return off1 - off2, core.Equal(base1, base2)
}

// overwritten returns the atoms out before value was stored in l, which may be the place m. Where a
// pointer decides whether it is, the atoms are the three parts of the case distinction: the atom with
// the value, the atom as it is, and the equation of the two addresses.
func (w *Walk) overwritten(out []core.Expr, m, l core.Loc, value core.Expr) []core.Expr {
	stored := inPlace(out, m, value)
	p, q := algebra.Address(m, w.Bits), algebra.Address(l, w.Bits)
	if p != nil && q != nil {
		// 1. At constant offsets from one base it is known.
		switch d, known := distance(p, q); {
		case known && d == 0:
			return stored
		case known:
			return out
		}
	}
	// 2. Too many case distinctions already: take it that the place was not written.
	if len(out) > 4 || p == nil || q == nil {
		return out
	}
	// 3. Distinguish cases.
	same := &core.Binary{Op: core.Eq, X: p, Y: q}
	return append(append(out, stored...), same)
}

// inPlace returns the atoms in list with value in the place of m.
func inPlace(list []core.Expr, m core.Loc, value core.Expr) []core.Expr {
	out := make([]core.Expr, len(list))
	for i, e := range list {
		out[i] = core.Replace(e, func(x core.Expr) core.Expr {
			if core.Equal(x, m) {
				return value
			}
			return nil
		})
	}
	return out
}

// preconditionOfRange returns the precondition of atom a before a write of size bytes at dst; a size
// that is not known counts as 0. value returns the contents of a place at a known offset from dst after
// the write, nil if they are arbitrary.
func (w *Walk) preconditionOfRange(a core.Expr, dst, size core.Expr, value func(*core.Mem, int64) core.Expr) []core.Expr {
	written := &core.Mem{Addr: dst, Typ: core.Agg{Size: algebra.Constant(size)}}
	base, at := algebra.Base(dst)
	known := true
	var perhaps []core.Expr // atoms for the places that the write may have changed
	out := core.Replace(a, func(x core.Expr) core.Expr {
		l, ok := x.(core.Loc)
		if !ok || !algebra.IsScalar(x.Type()) {
			return nil
		}
		if v := algebra.Variable(l); v != nil && !v.InMemory() || !w.Aliases.MayAlias(l, written) {
			return nil
		}
		b, off := algebra.Base(algebra.Address(l, w.Bits))
		n := algebra.Constant(size)
		switch {
		// 1. At another base, the place may be at any offset in the range that the objects or the element sizes allow:
		// for each, an atom with the value there, and the equation of the addresses.
		case !core.Equal(b, base):
			offsets := algebra.Offsets(l, dst, n, w.Bits)
			if d, one := w.Aliases.Distance(l, written); one && 0 <= d && d+core.Bytes(l.Type()) <= n {
				offsets = []int64{d}
			}
			for _, o := range offsets {
				m := &core.Mem{Addr: algebra.Address(l, w.Bits), Typ: l.Type(), Bit: algebra.Bit(l)}
				if v := value(m.At(algebra.Displace(dst, o)), o); v != nil {
					perhaps = append(perhaps, &core.Binary{Op: core.Eq, X: m.Addr, Y: algebra.Displace(dst, o)})
					perhaps = append(perhaps, inPlace([]core.Expr{a}, l, algebra.Convert(v, x.Type()))...)
				}
			}
			known = false
			return nil
		// 2. It lies outside of the range.
		case off+core.Bytes(l.Type()) <= at, n > 0 && off >= at+n:
			return nil
		// 3. It begins before the range and reaches into it: its value is not known.
		case off < at:
			known = false
			return nil
		}
		// 4. It begins in the range.
		m, ok := l.(*core.Mem)
		if !ok {
			m = &core.Mem{Addr: algebra.Address(l, w.Bits), Typ: l.Type()}
		}
		v := value(m, off-at)
		if v == nil {
			known = false
			return nil
		}
		return algebra.Convert(v, x.Type())
	})
	switch {
	case len(perhaps) > 0: // the write may or may not have changed a
		return append(perhaps, a)
	case !known: // a depends on arbitrary bytes
		return nil
	}
	return []core.Expr{out}
}
