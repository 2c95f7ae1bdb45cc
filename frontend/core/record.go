package core

import "fmt"

// This file defines the types that C declares, as far as they tell which objects may lie in which.

// Record is a struct or union type. Two with the same name and the same members are one.
type Record struct {
	Name    string // as C spells it
	Size    int64  // bytes
	Members []Member
	// Private structs are known to the program alone: functions without a body cannot name their members.
	Private bool
	// Local structs are known to the program, and perhaps to other files of its directory, which include the same header.
	Local bool
	// Kept has the members of a struct of others that are the program's own: functions without a body keep what
	// it stores there, and do not change it.
	Kept []Member
	// States has the members of a struct of the kernel in which it keeps what it has called of the program.
	States []Member
	// Stated says that the ledger has a line about each of them already.
	Stated bool
	// Forced says that they stay although the program uses the struct as another type, too. Proves nothing: it is
	// for the search for failing runs.
	Forced bool
	// Converted says that pointers to the struct are converted to pointers to scalars, such as its first member.
	Converted bool
}

// Records lists the structs and unions that the program mentions, in the order in which they are met: the
// declared types of variables and results, the targets of pointers, and types whose members are accessed or
// that are copied.
func (p *Program) Records() (list []*Record) {
	seen := map[*Record]bool{}
	// 1. Collect each once, in the order in which they are met.
	add := func(x *Record) {
		if x != nil && !seen[x] {
			seen[x] = true
			list = append(list, x)
		}
	}
	declared := func(vars []*Var) {
		for _, v := range vars {
			if v.Declared != nil {
				add(v.Declared.Record)
			}
			add(v.To)
		}
	}
	// 2. Declarations, results, members, and copies of entire objects.
	declared(p.Globals)
	for _, q := range p.Procs {
		declared(q.Formals)
		declared(q.Locals)
		add(q.RetTo)
		for _, n := range q.Nodes {
			StmtExprs(n.Stmt, func(e Expr) {
				Walk(e, func(e Expr) bool {
					switch e := e.(type) {
					case *Offset:
						add(e.Of)
					case *Mem:
						add(e.To)
					}
					return true
				})
			})
			if c, ok := n.Stmt.(*Copy); ok {
				add(c.Of)
			}
		}
	}
	return list
}

// Pointee is the declared target of a pointer, as far as types of functions differ by it: void, or
// a struct or union. The zero value is anything else, and unknown targets.
type Pointee struct {
	Void   bool
	Record *Record
}

// Excludes reports whether a pointer to p and one to q are of two types that C does not take for
// one (C23 6.7.7.2).
func (p Pointee) Excludes(q Pointee) bool {
	if p.Void || q.Void {
		return p.Record != nil || q.Record != nil
	}
	return p.Record != nil && q.Record != nil && p.Record != q.Record
}

// Member is Count elements, one after the other, from byte Off of a record on. An array without an
// end has the Count OpenEnd, and one that only marks the place of the member after it the Count 0.
type Member struct {
	Off, Count int64
	Record     *Record // their type if that is a struct or union, else nil
	Size       int64   // bytes of one
	Tag        string  // of pointers to structs or unions of one type: its tag, as struct bus; else empty
}

// Shape returns the type of an element of m.
func (m Member) Shape() Shape { return Shape{Record: m.Record, Size: m.Size, Tag: m.Tag} }

// Holds reports whether an object of type inner may lie at byte off of one of type r: whether it is
// the object itself or a part of it.
func (r *Record) Holds(off int64, inner *Record) bool {
	return off == 0 && r == inner || r.part(off, func(m Member, rest int64) bool {
		return m.Record != nil && m.Record.Holds(rest, inner)
	})
}

// HoldsScalar reports whether r has a scalar of shape s at byte off. That characters may be read and written
// anywhere is left to the caller.
func (r *Record) HoldsScalar(off int64, s Shape) bool {
	return r.part(off, func(m Member, rest int64) bool {
		if m.Record != nil {
			return m.Record.HoldsScalar(rest, s)
		}
		return rest == 0 && m.Shape().Is(s)
	})
}

// part reports whether yes holds for a member that byte off is in, and the byte's offset in an
// element of it. Of a union these may be several members: one is enough.
func (r *Record) part(off int64, yes func(m Member, rest int64) bool) bool {
	for _, m := range r.Members {
		if d := off - m.Off; d >= 0 && m.Size > 0 && d/m.Size < m.Count && yes(m, d%m.Size) {
			return true
		}
	}
	return false
}

// Shape is the type of an object as far as an access shows it: a struct or union, or a scalar.
type Shape struct {
	Record *Record // nil for a scalar
	Size   int64   // bytes
	Tag    string  // of a pointer to structs or unions of one type: its tag; empty of any other scalar
}

// Is reports whether an object may be of both shapes. A pointer to one struct is none to another one; a
// scalar without a tag may be any of its size.
func (s Shape) Is(t Shape) bool {
	if s.Record != nil || t.Record != nil {
		return s.Record == t.Record
	}
	return s.Size == t.Size && (s.Tag == t.Tag || s.Tag == "" || t.Tag == "")
}

// End returns the number of bytes from the start of an object of shape s in which parts of it may be: its size, but
// more than any object has if it ends with an array without an end.
func (s Shape) End() int64 {
	if s.Record == nil {
		return s.Size
	}
	for _, m := range s.Record.Members {
		if m.Count >= OpenEnd {
			return OpenEnd
		}
	}
	return s.Size
}

// Holds reports whether an object of shape t may lie at byte off of one of shape s.
func (s Shape) Holds(off int64, t Shape) bool {
	switch {
	case s.Record == nil:
		return off == 0 && s.Is(t)
	case t.Record == nil:
		return s.Record.HoldsScalar(off, t)
	}
	return s.Record.Holds(off, t.Record)
}

// String returns the type as C spells it, a scalar by its size: struct dev, struct bus *, 4 bytes.
func (s Shape) String() string {
	switch {
	case s.Record != nil:
		return s.Record.Name
	case s.Tag != "":
		return s.Tag + " *"
	}
	return fmt.Sprintf("%d bytes", s.Size)
}

// Owner returns the struct or union that mem is a part of, as far as mem shows it, and the offset
// of mem in it: for d->l.next the one that d points to. It is nil if mem shows none.
func Owner(mem *Mem) (r *Record, off int64) {
	// Walk from the place outwards; the last owner met is the outermost. at is the offset walked so
	// far.
	at := int64(0)
	for a := mem.Addr; ; {
		o, ok := a.(*Offset)
		if !ok {
			return r, off
		}
		if o.Of != nil {
			r, off = o.Of, at+o.Member
		}
		at += o.Off
		a = o.X
	}
}

// OwningMember returns the record of which mem is a member, and the member; of an array it is all of its elements. The record
// is nil if mem is no such place. Offsets are from the start of the outermost record.
//
//	d->bus, d->chips[i].bus      bus
//	d->ports[i]                  ports
func OwningMember(mem *Mem) (*Record, Member) {
	size := Bytes(mem.Typ)
	if r, off := Owner(mem); r != nil {
		return r, Member{Off: off, Count: 1, Size: size}
	}
	// An element: the member is the array in which it is.
	x, isElement := mem.Addr.(*Index)
	if !isElement || x.Size != size {
		return nil, Member{}
	}
	r, off := Owner(&Mem{Addr: x.X, Typ: mem.Typ})
	if r == nil {
		return nil, Member{}
	}
	count := r.elementsAt(off, size)
	if count == 0 {
		return nil, Member{}
	}
	return r, Member{Off: off, Count: count, Size: size}
}

// elementsAt returns the number of elements, of size bytes, of the array at byte off of r; 0 if there is none, or one
// without an end.
func (r *Record) elementsAt(off, size int64) (count int64) {
	r.part(off, func(m Member, rest int64) bool {
		switch {
		case m.Record != nil:
			count = m.Record.elementsAt(rest, size)
		case m.Size == size && off == m.Off && m.Count < OpenEnd:
			count = m.Count
		}
		return count > 0
	})
	return count
}

// mostPlaces bounds the result of Places.
const mostPlaces = 64

// Places lists the offsets in an object of shape s at which one of shape inner may lie, of an array
// in the first two elements only.
func (s Shape) Places(inner Shape) (list []int64) {
	// Visit the shapes nested in s. An object of the shape itself has no further ones inside.
	var visit func(s Shape, at int64)
	visit = func(s Shape, at int64) {
		if s.Is(inner) {
			list = append(list, at)
			return
		}
		if s.Record == nil {
			return
		}
		for _, m := range s.Record.Members {
			for i := range min(m.Count, 2) {
				if len(list) < mostPlaces {
					visit(m.Shape(), at+m.Off+i*m.Size)
				}
			}
		}
	}
	visit(s, 0)
	return list
}
