package alias

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"c2bp/frontend/core"
)

// This file defines objects, and the sets of targets in them that callers see.
//
//	kind        one object for
//	Outside     everything that the program does not define; internally, each origin (origin.go)
//	Variable    all activations of a variable in memory
//	Allocation  all that an allocation site makes
//	Function    a procedure
//	number …    internal: integers, which lead nowhere or become pointers (expose.go)
//	buffer      internal: the bytes of a copy on their way (build.go)

// ObjectKind is a kind of objects.
type ObjectKind int

const (
	// Outside is the one object that stands for all memory the program does not
	// define, and for every object that has escaped to it.
	Outside    ObjectKind = iota
	Variable              // all activations of one variable that lives in memory
	Allocation            // all that one Alloc node makes
	Function              // a procedure, as something whose address is taken

	number // internal: an integer of which nothing is known; see expose.go
	small  // internal: an integer in the first or last page, where no object is
	zero   // internal: the integer 0, and null
	guess  // internal: a pointer that was a number
	buffer // internal: what a Copy holds between reading and writing
)

// Object is a target of addresses. It stands for all the concrete objects that a declaration or
// allocation site makes in a run.
type Object struct {
	Kind ObjectKind
	Name string      // dev, main.buf, alloc@f.c:12, &f; distinct within a program
	Var  *core.Var   // of a Variable
	Proc *core.Proc  // the Function; of an Allocation the procedure it is in
	Site *core.Alloc // of an Allocation
	Size int64       // bytes, 0 if not known
	// Escaped objects are known to procedures without a body, or to assembly: pointers from there may
	// point to them.
	Escaped bool

	id     int32
	exact  bool // of objects outside, and of a number: offsets count (origin.go)
	merged bool // a literal that may be one object with another (C17 6.4.5p7)
	arrays bool // of the program's own: no access leaves an array in it
}

// isMemory reports whether o can be read and written.
func (o *Object) isMemory() bool { return o.Kind <= Allocation }

// isOwn reports whether o is memory of the program.
func (o *Object) isOwn() bool { return o.Kind == Variable || o.Kind == Allocation }

// bits returns the size of o in bits, 0 if it is not known.
func (o *Object) bits() int64 { return o.Size * 8 }

// Target is a set of addresses in one object: byte Off if Stride is 0, else the bytes
// Off + k*Stride for 0 <= k < Count, or, if Count is 0, for every k that is in the
// object (then 0 <= Off < Stride). In the Outside object and in functions offsets mean
// nothing.
type Target struct {
	Object             *Object
	Off, Stride, Count int64
}

// address returns t by the index of its object.
func (t Target) address() address { return address{t.Object.id, t.Off, t.Stride, t.Count} }

// String returns the target as in C, bytes counted: dev+8, tab+8+16k, tab+8+16k(6) if k is below 6,
// outside.
func (t Target) String() string {
	s := t.Object.Name
	switch {
	case t.Object.Kind == Outside || t.Object.Kind == Function:
		return s
	case t.Stride == 1:
		return s + "+?"
	}
	if t.Off != 0 {
		s += fmt.Sprintf("%+d", t.Off)
	}
	if t.Stride != 0 {
		s += fmt.Sprintf("+%dk", t.Stride)
	}
	if t.Count != 0 {
		s += fmt.Sprintf("(%d)", t.Count)
	}
	return s
}

// Set is a points-to set. A pointer whose set has no targets is null, never set, or a number:
// dereferencing it is undefined.
type Set struct {
	targets []Target // sorted, none implied by another
}

// Targets returns the members in a fixed order. The caller must not change the list.
func (s Set) Targets() []Target { return s.targets }

// IsEmpty reports whether there are no targets.
func (s Set) IsEmpty() bool { return len(s.targets) == 0 }

// Outside reports whether the pointer may point to memory that the program does not define, and so
// to every escaped object.
func (s Set) Outside() bool { return len(s.targets) > 0 && s.targets[0].Object.Kind == Outside }

// MayOverlap reports whether sizeS bytes at an address in s and sizeT bytes at an address in t may
// have a byte in common. Size 0 stands for any number of bytes. Addresses that can be in one
// concrete object only if one declaration has two activations, or one site makes two objects, count
// as possibly in one.
func (s Set) MayOverlap(sizeS int64, t Set, sizeT int64) bool {
	// Unknown sizes are unbounded.
	return s.overlaps(0, extent(sizeS), t, 0, extent(sizeT))
}

// overlaps is MayOverlap for ranges of bits that begin bitS and bitT bits after the addresses. An
// empty set stands for a pointer that must not be dereferenced: it meets nothing but what is
// outside, or another one such.
func (s Set) overlaps(bitS, bitsS int64, t Set, bitT, bitsT int64) bool {
	if s.IsEmpty() || t.IsEmpty() {
		return (s.IsEmpty() || s.Outside()) && (t.IsEmpty() || t.Outside())
	}
	return s.meetsOutside(t) || s.meet(bitS, bitsS, t, bitT, bitsT)
}

// meetsOutside reports whether addresses in s and t may be equal outside, or in an object that is
// known there. Types are not considered (MayAlias).
func (s Set) meetsOutside(t Set) bool {
	return s.Outside() && t.Outside() || s.Outside() && t.hasEscaped() || t.Outside() && s.hasEscaped()
}

// meet is overlaps for addresses in objects of the program.
func (s Set) meet(bitS, bitsS int64, t Set, bitT, bitsT int64) bool {
	// 1. Compare the targets in each object that both sets have.
	for i, j := 0, 0; i < len(s.targets) && j < len(t.targets); {
		a, b := s.targets[i].Object, t.targets[j].Object
		switch {
		case a.id < b.id:
			i++
		case a.id > b.id:
			j++
		default:
			endI, endJ := group(s.targets, i), group(t.targets, j)
			if a.isMemory() && a.Kind != Outside && meet(s.targets[i:endI], bitS, bitsS, t.targets[j:endJ], bitT, bitsT) {
				return true
			}
			i, j = endI, endJ
		}
	}
	// 2. Two literals may be one object.
	return s.mayMerge(t)
}

// mayMerge reports whether literals in s and t may be one object. Offsets of the targets are
// ignored: such literals are few.
func (s Set) mayMerge(t Set) bool {
	for _, a := range s.targets {
		if !a.Object.merged {
			continue
		}
		for _, b := range t.targets {
			if b.Object.merged && endsAs(a.Object.Var, b.Object.Var) {
				return true
			}
		}
	}
	return false
}

// endsAs reports whether one of the literals v and w ends as the other one.
func endsAs(v, w *core.Var) bool {
	return bytes.HasSuffix(v.Text, w.Text) || bytes.HasSuffix(w.Text, v.Text)
}

// hasEscaped reports whether s has a target in an object that has escaped.
func (s Set) hasEscaped() bool {
	for _, t := range s.targets {
		if t.Object.Escaped && t.Object.isMemory() {
			return true
		}
	}
	return false
}

// group returns the end of the targets from i on that are in the same object.
func group(list []Target, i int) int {
	o := list[i].Object
	for i < len(list) && list[i].Object == o {
		i++
	}
	return i
}

// meet reports whether ranges after the targets s and t, of one object, overlap.
func meet(s []Target, bitS, bitsS int64, t []Target, bitT, bitsT int64) bool {
	for _, a := range s {
		for _, b := range t {
			if a.cell(bitS, bitsS).overlaps(b.cell(bitT, bitsT)) {
				return true
			}
		}
	}
	return false
}

// cell returns the cell of bits bits that begins bit bits after t.
func (t Target) cell(bit, bits int64) cell {
	return t.address().cell(bit, bits)
}

// String lists the targets: {dev+8, outside}.
func (s Set) String() string {
	var list []string
	for _, t := range s.targets {
		list = append(list, t.String())
	}
	return "{" + strings.Join(list, ", ") + "}"
}

// newSet makes a Set of targets in any order, with repetitions; it leaves out addresses that point
// nowhere.
func newSet(objects []*Object, list []address) Set {
	// 1. Sort, and drop repetitions.
	slices.SortFunc(list, address.compare)
	list = slices.Compact(list)
	var s Set
	outside := false
	// 2. Keep the addresses of objects that no other address includes.
	for i, a := range list {
		o := objects[a.object]
		if o.Kind >= number || o.Kind != Outside && impliedByAnother(list, i) {
			continue
		}
		if o.Kind == Outside { // whatever the origin
			outside = true
			continue
		}
		s.targets = append(s.targets, Target{o, a.off, a.stride, a.count})
	}
	// 3. Everything outside is one target, the first one.
	if outside {
		s.targets = slices.Insert(s.targets, 0, Target{Object: objects[outsideObject], Stride: 1})
	}
	return s
}

// impliedByAnother reports whether all addresses of list[i] are among those of another element.
func impliedByAnother(list []address, i int) bool {
	// Look after and before it, as long as the object is the same.
	a := list[i]
	for j := i + 1; j < len(list) && list[j].object == a.object; j++ {
		if list[j] != a && a.within(list[j]) {
			return true
		}
	}
	for j := i - 1; j >= 0 && list[j].object == a.object; j-- {
		if list[j] != a && a.within(list[j]) {
			return true
		}
	}
	return false
}
