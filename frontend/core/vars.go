package core

import (
	"fmt"
	"slices"
)

// This file defines traversals of expressions and statements, and rebuilding of expressions.

// Children returns the operands of e, from left to right, nil if it has none; the address of a
// place in memory is its operand. The caller may change the slice.
func Children(e Expr) []Expr {
	switch e := e.(type) {
	case *Unary:
		return []Expr{e.X}
	case *Conv:
		return []Expr{e.X}
	case *Binary:
		return []Expr{e.X, e.Y}
	case *Float:
		return slices.Clone(e.Args)
	case *Cond:
		return []Expr{e.C, e.X, e.Y}
	case *Mem:
		return []Expr{e.Addr}
	case *Offset:
		return []Expr{e.X}
	case *Index:
		return []Expr{e.X, e.I}
	case *Diff:
		return []Expr{e.X, e.Y}
	case *ToPtr:
		return []Expr{e.X}
	case *ToInt:
		return []Expr{e.X}
	}
	return nil
}

// WithChildren returns a copy of e with other operands, which must be as many and of the types of
// those that [Children] lists. An expression without operands is returned itself.
func WithChildren(e Expr, x []Expr) Expr {
	switch e := e.(type) {
	case *Unary:
		return &Unary{Op: e.Op, X: x[0]}
	case *Conv:
		return &Conv{X: x[0], To: e.To}
	case *Binary:
		return &Binary{Op: e.Op, X: x[0], Y: x[1]}
	case *Float:
		return &Float{Op: e.Op, Args: x, Typ: e.Typ}
	case *Cond:
		return &Cond{C: x[0], X: x[1], Y: x[2]}
	case *Mem:
		return e.At(x[0])
	case *Offset:
		return &Offset{X: x[0], Off: e.Off, Field: e.Field, Of: e.Of, Member: e.Member}
	case *Index:
		return &Index{X: x[0], I: x[1], Size: e.Size, Count: e.Count, Row: e.Row}
	case *Diff:
		return &Diff{X: x[0], Y: x[1], Size: e.Size, Typ: e.Typ}
	case *ToPtr:
		return &ToPtr{X: x[0], Typ: e.Typ}
	case *ToInt:
		return &ToInt{X: x[0], To: e.To}
	}
	if len(x) > 0 {
		panic(fmt.Sprintf("core: %T has no operands", e))
	}
	return e
}

// Replace returns e with f(x) for every subexpression x for which f returns an
// expression; inside those nothing is replaced.
func Replace(e Expr, f func(Expr) Expr) Expr {
	if r := f(e); r != nil {
		return r
	}
	// Rebuild e only if an operand changed, so that unchanged expressions are shared.
	old := Children(e)
	changed := false
	next := make([]Expr, len(old))
	for i, c := range old {
		next[i] = Replace(c, f)
		changed = changed || next[i] != c
	}
	if !changed {
		return e
	}
	return WithChildren(e, next)
}

// Walk calls f for e and, where f returns true, for its operands, before them and
// from left to right.
func Walk(e Expr, f func(Expr) bool) {
	if e == nil || !f(e) {
		return
	}
	for _, c := range Children(e) {
		Walk(c, f)
	}
}

// WalkVars calls f for every occurrence of a variable in e, from left to right,
// also where only its address is taken.
func WalkVars(e Expr, f func(*Var)) {
	Walk(e, func(e Expr) bool {
		switch e := e.(type) {
		case *VarRef:
			f(e.Var)
		case *AddrOf:
			f(e.Var)
		}
		return true
	})
}

// PageSize is the number of bytes of the first page, and of the last, in which no object is.
const PageSize = 4096

// AssumePointers is the line of the ledger about pointer arithmetic (C17 6.5.6p8 and p9).
const AssumePointers = "pointers: arithmetic stays in the object or just after it, and differences are within one object"

// MovedBack returns the pointer p if e is the pointer p minus less than a page, by C's arithmetic on pointers; otherwise nil.
//
//	container_of(p, struct item, node)      p - 8, an Index
//
// An Offset may be arithmetic on numbers, (char *)((unsigned long)p - 8), of which C says nothing: p may be 8.
func MovedBack(e Expr) Loc {
	i, ok := e.(*Index)
	if !ok {
		return nil
	}
	p, isLoc := i.X.(Loc)
	n, isConst := ConstantOf(i.I)
	if !isLoc || !isConst || n >= 0 || n <= -PageSize || i.Size >= PageSize || -n*i.Size >= PageSize {
		return nil
	}
	return p
}

// Base returns the pointer that the address e is computed from: e without displacements. For
// &p->a[i].f it is p, for &s.f it is &s.
func Base(e Expr) Expr {
	for {
		switch x := e.(type) {
		case *Offset:
			e = x.X
		case *Index:
			e = x.X
		default:
			return e
		}
	}
}

// Addressed returns the variables whose address e uses: &x, except on the way to a member or
// element, as in s.f or a[i].
func Addressed(e Expr) []*Var {
	var out []*Var
	Walk(e, func(e Expr) bool {
		switch e := e.(type) {
		case *AddrOf:
			out = append(out, e.Var)
		case *Mem:
			return !directAccess(e.Addr, &out)
		}
		return true
	})
	return out
}

// directAccess reports whether address a names a place in a variable; it adds to out the variables
// whose address the indices on the way use.
func directAccess(a Expr, out *[]*Var) bool {
	// Walk from the place to its base. The indices on the way are computed, so their addresses
	// count.
	var indices []Expr
	for {
		switch x := a.(type) {
		case *Offset:
			a = x.X
		case *Index:
			indices = append(indices, x.I)
			a = x.X
		case *AddrOf:
			for _, i := range indices {
				*out = append(*out, Addressed(i)...)
			}
			return true
		default:
			return false
		}
	}
}

// Mentions reports whether a variable that satisfies f occurs in e, also one whose address is
// taken.
func Mentions(e Expr, f func(*Var) bool) bool {
	found := false
	WalkVars(e, func(v *Var) { found = found || f(v) })
	return found
}

// Locs returns the locations that e reads, variables and places in memory, outer ones
// first.
func Locs(e Expr) []Loc {
	var out []Loc
	Walk(e, func(e Expr) bool {
		if l, ok := e.(Loc); ok {
			out = append(out, l)
		}
		return true
	})
	return out
}

// Loads returns the places in memory that e reads, outer ones first: Mem nodes, and
// variables that live in memory.
func Loads(e Expr) []Loc {
	var out []Loc
	Walk(e, func(e Expr) bool {
		switch e := e.(type) {
		case *Mem:
			out = append(out, e)
		case *VarRef:
			if e.Var.InMemory() {
				out = append(out, e)
			}
		}
		return true
	})
	return out
}

// Destinations lists the locations that s names as written; a call's is that of its result. Bytes
// that a Copy, Fill or Data writes are at an address, and not listed. The slice may be that of s.
func Destinations(s Stmt) []Loc {
	switch s := s.(type) {
	case *Assign:
		return s.Lhs
	case *Havoc:
		return s.Locs
	case *Alloc:
		return []Loc{s.Lhs}
	case *Call:
		if s.Lhs != nil {
			return []Loc{s.Lhs}
		}
	}
	return nil
}

// Condition returns the condition that s tests, an assumption or assertion; nil for other
// statements.
func Condition(s Stmt) Expr {
	switch s := s.(type) {
	case *Assume:
		return s.Cond
	case *Assert:
		return s.Cond
	}
	return nil
}

// StmtExprs calls f for every expression of s: conditions, right sides, the addresses
// and values that it reads, and the locations that it writes.
func StmtExprs(s Stmt, f func(Expr)) {
	// some calls f for the expressions that are not nil.
	some := func(list ...Expr) {
		for _, e := range list {
			if e != nil {
				f(e)
			}
		}
	}
	switch s := s.(type) {
	case *Assume:
		some(s.Cond)
	case *Assert:
		some(s.Cond)
	case *Assign:
		for _, l := range s.Lhs {
			f(l)
		}
		some(s.Rhs...)
	case *Copy:
		some(s.Dst, s.Src, s.Size)
	case *Fill:
		some(s.Dst, s.Size, s.Byte)
	case *Data:
		some(s.Dst)
	case *Alloc:
		some(s.Lhs, s.Size)
	case *Free:
		some(s.Ptr)
	case *Havoc:
		for _, l := range s.Locs {
			f(l)
		}
		for _, x := range s.From {
			some(x.Value, x.At, x.Size)
		}
		if s.Reads != nil {
			f(s.Reads)
		}
	case *Call:
		if s.Lhs != nil {
			f(s.Lhs)
		}
		some(s.Target)
		some(s.Args...)
		some(s.Extra...)
	}
}

// MemberOf reports whether l is a place in v that is named by a constant offset, s.f or a[1], and
// that offset, in bytes. A place that is computed from a pointer is none, wherever that points.
func MemberOf(l *Mem, v *Var) (off int64, ok bool) {
	a := l.Addr
	for {
		switch x := a.(type) {
		case *Offset:
			off += x.Off
			a = x.X
		case *Index:
			i, isConst := ConstantOf(x.I)
			if !isConst {
				return 0, false
			}
			off += i * x.Size
			a = x.X
		case *AddrOf:
			return off, x.Var == v
		default:
			return 0, false
		}
	}
}
