package alias

import (
	"cmp"
	"slices"

	"c2bp/frontend/core"
)

// This file finds what the pointers of an origin are declared to point to, where that is one
// struct in all that may be one value with them, and so in which struct a place is that is reached
// through another pointer:
//
//	struct dev *d = get();
//	reset(&d->count);              void reset(int *n) { *n = 0; }
//	memset(d, 0, sizeof *d);
//
// What n leads to is no mere number, it is member count of a struct dev: get returns null, an
// invalid pointer, or one that leads to a struct dev. Nor are the bytes that memset sets those of anything else. Pointers to void, or of which one says struct
// dev and another struct file, say nothing: what the program follows some of them as, it need not
// follow all of them as.

// declaration is where a struct lies, from the value of an origin on. There is none if record is
// nil.
type declaration struct {
	record *core.Record
	off    int64
}

// declareOrigins notes what each origin is declared as. It is for origins that are known before
// any become one value.
func (f *follows) declareOrigins() {
	for n := range f.decl {
		f.decl[n] = declaration{}
	}
	for object, n := range f.nodes {
		f.decl[n] = declaration{record: f.to[object]}
	}
}

// declareOrigin notes that the pointers of the origin whose address is n are declared to point to a
// struct r, nil for nothing.
func (f *follows) declareOrigin(n int32, r *core.Record) {
	object := f.result.solver.addresses[n].object
	if old, known := f.to[object]; known && old != r {
		r = nil
	}
	f.to[object] = r
}

// agree is the declaration of values of which some are declared as d, and others as e.
func (f *follows) agree(d, e declaration) declaration {
	switch {
	case d == e || f.result.mutated == someDeclared && e.record == nil:
		return d
	case f.result.mutated == someDeclared && d.record == nil:
		return e
	}
	return declaration{}
}

// declareHavoc notes what the places that h makes arbitrary are declared to point to.
func (f *follows) declareHavoc(h *core.Havoc) {
	s := f.result.solver
	for i, l := range h.Locs {
		if n, known := s.origins[originKey{node: h, n: i}]; known {
			f.declareOrigin(n, declaredTo(l))
		}
	}
}

// declaredTo is the struct or union that l is declared to point to, or nil.
func declaredTo(l core.Loc) *core.Record {
	switch l := l.(type) {
	case *core.VarRef:
		return l.Var.To
	case *core.Mem:
		return l.To
	}
	return nil
}

// declareRead notes what is declared of what is read at l from outside, and from the program's own
// objects if others have put it there.
func (f *follows) declareRead(l core.Loc) {
	s, r := f.result.solver, declaredTo(l)
	switch l := l.(type) {
	case *core.VarRef:
		if l.Var.InMemory() {
			f.declareLent(s.object(l.Var), l.Type(), 0, address{}, r)
		}
	case *core.Mem:
		outside := false
		for _, n := range s.sets.lists[f.result.eval(l.Addr)] {
			a := s.addresses[n]
			if s.isOutside(a) {
				outside = true
			} else if s.objects[a.object].isMemory() {
				f.declareLent(a.object, l.Typ, l.Bit, a, r)
			}
		}
		if outside {
			f.declareOrigin(s.readOutside(l), r)
		}
	}
}

// declareLent is declareRead for a place of type t, from bit on behind a, of object.
func (f *follows) declareLent(object int32, t core.Type, bit int, a address, r *core.Record) {
	s := f.result.solver
	first, bits := bitRange(t, bit)
	c, inside := a.cell(first, bits).in(s.objects[object].bits())
	if n, known := s.origins[originKey{object: object, cell: c}]; known && inside {
		f.declareOrigin(n, r)
	}
}

// mostElements bounds the elements of an array that are looked at one by one, mostStructs the
// places that an access is said to be at.
const (
	mostElements = 64
	mostStructs  = 32
)

// in is a, which lies so many bytes behind the start of a struct r, as a place in that; ok is false
// if it is not seen to be one. The bytes of a wild place may be anywhere in it.
func (a typed) in(r *core.Record, at address) (t typed, ok bool) {
	outer := shapeOf(r)
	elements := int64(1)
	if at.stride != 0 {
		elements = at.count
	}
	if elements < 1 || elements > mostElements || a.shape == outer || a.shape.Size == 0 {
		return a, false
	}
	for i := range elements {
		off := at.off + i*at.stride
		if off < 0 || a.shape.Size > r.Size-off || !a.wild && !outer.Holds(off, a.shape) {
			return a, false
		}
	}
	return typed{shape: outer, cell: a.cell.shift(address{off: at.off, stride: at.stride, count: at.count})}, true
}

// places is where a may be outside of the program, by what the pointers that it is reached through are
// declared to point to.
func (f *follows) places(a access) []typed {
	s := f.result.solver
	var list []typed
	for _, n := range s.sets.lists[f.result.eval(a.base)] {
		v := s.addresses[n].add(a.start, 0, 0)
		if !s.isOutside(v) {
			continue
		}
		t := a.typed
		if node, known := f.nodes[v.object]; known {
			root, away := f.root(node)
			if d := f.decl[root]; d.record != nil && f.stride[root] == 0 {
				t, _ = a.in(d.record, v.add(away-d.off, 0, 0))
			}
		}
		if t == a.typed { // which all others are in
			return []typed{t}
		}
		list = append(list, t)
	}
	if len(list) == 0 || len(list) > mostStructs {
		return []typed{a.typed}
	}
	slices.SortFunc(list, typed.compare)
	return slices.Compact(list)
}

// compare orders places.
func (a typed) compare(b typed) int {
	return cmp.Or(cmp.Compare(a.shape.String(), b.shape.String()), a.cell.compare(b.cell))
}
