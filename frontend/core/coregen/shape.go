package coregen

import (
	"fmt"

	"c2bp/frontend/core"
)

// This file defines the C types of programs with memory.

// shape is the C type of a variable or place. Core types do not tell the target type of a pointer,
// or the members of an aggregate.
type shape struct {
	typ    core.Type  // Int, Ptr, Agg, or Opaque for a double
	elem   *shape     // the target of a pointer, or the elements of an array
	sig    *signature // of a pointer to procedures
	count  int64      // of an array
	fields []field    // of a struct; those of a union within it overlap
}

// field is a member of a struct.
type field struct {
	name  string
	off   int64 // in bytes
	bit   int   // of a bit-field: from off, in bits
	shape *shape
}

// signature is the type of procedures that can be called through one pointer.
type signature struct {
	formals []*shape
	null    []bool // the formal is a pointer that may be null
	result  *shape // nil for void
}

// intShape returns the shape of integers of type t.
func intShape(t core.Int) *shape { return &shape{typ: t} }

// isInt reports whether s is an integer type.
func (s *shape) isInt() bool {
	_, ok := s.typ.(core.Int)
	return ok
}

// isPointer reports whether s is a pointer type.
func (s *shape) isPointer() bool {
	_, ok := s.typ.(core.Ptr)
	return ok
}

// isScalar reports whether s is an integer or pointer type.
func (s *shape) isScalar() bool { return s.isInt() || s.isPointer() }

// same reports whether s and t are one type. Structs and arrays are made once.
func (s *shape) same(t *shape) bool {
	switch {
	case s == t:
		return true
	// Pointer types are made again and again: compare their targets.
	case s.isPointer() && t.isPointer():
		return s.sig == t.sig && (s.elem == t.elem || s.elem != nil && t.elem != nil && s.elem.same(t.elem))
	}
	return s.isInt() && s.typ == t.typ
}

// fitsAt reports whether a pointer to s may be set to the address of a t: t is an s, or s
// is char, or they are the signed and the unsigned type of one width.
func (s *shape) fitsAt(t *shape) bool {
	if s.same(t) {
		return true
	}
	a, okA := s.typ.(core.Int)
	b, okB := t.typ.(core.Int)
	if !okA || !okB || b.Bool || b.Bits%8 != 0 {
		return false
	}
	// unsigned char may access any object, and the signed and unsigned types of one width each
	// other (C11 6.5p7).
	return a == core.Uint8 || a.Bits == b.Bits && !a.Bool
}

// world is the additional state of a generator for a program with memory.
type world struct {
	ptr      core.Ptr
	node     *shape                    // a list element: a value, the pointer to the next, and more
	structs  []*shape                  // node and others
	intp     *shape                    // int *
	bytep    *shape                    // unsigned char *
	nodep    *shape                    // node *
	intpp    *shape                    // int **
	sigs     []*signature              // of procedures that are called through pointers
	literal  *core.Var                 // a string literal, or nil
	bindings map[*core.Var]*binding    // of variables, but not of temporaries
	sigOf    map[*core.Proc]*signature // of every procedure
}

// binding is the additional knowledge about a variable.
type binding struct {
	shape *shape
	null  bool // a pointer that may be null
	// long marks a pointer that points only to objects that outlive the frame.
	long bool
}

// newWorld makes the types of the program.
func (g *generator) newWorld() *world {
	w := &world{
		ptr:      core.Ptr{Bits: 64},
		bindings: map[*core.Var]*binding{},
		sigOf:    map[*core.Proc]*signature{},
	}
	if g.chance(6) {
		w.ptr.Bits = 32
	}
	w.intp = w.pointerTo(intShape(core.Int32))
	w.bytep = w.pointerTo(intShape(core.Uint8))
	w.intpp = w.pointerTo(w.intp)
	// makeNode fills it in later; pointers to nodes are needed before.
	w.node = &shape{}
	w.nodep = w.pointerTo(w.node)
	for range 1 + g.rng.IntN(2) {
		w.sigs = append(w.sigs, g.newSignature(w))
	}
	// The members of a node may point to nodes and to procedures: both types exist now.
	g.makeNode(w)
	w.structs = []*shape{w.node}
	if g.chance(2) {
		w.structs = append(w.structs, g.makeOuter(w))
	}
	return w
}

// pointerTo returns the type of pointers to s.
func (w *world) pointerTo(s *shape) *shape { return &shape{typ: w.ptr, elem: s} }

// procedurePointer returns the type of pointers to procedures of a signature.
func (w *world) procedurePointer(s *signature) *shape { return &shape{typ: w.ptr, sig: s} }

// array returns an array type.
func array(elem *shape, count int64) *shape {
	name := fmt.Sprintf("%s[%d]", elem.typ, count)
	return &shape{typ: core.Agg{Name: name, Size: count * core.Bytes(elem.typ)}, elem: elem, count: count}
}

// layout is a struct or union under construction.
type layout struct {
	ptr    core.Ptr
	fields []field
	size   int64
	align  int64
}

// add adds a member, aligned: at the next multiple of its alignment.
func (l *layout) add(name string, s *shape) {
	l.size = (l.size + l.alignment(s) - 1) / l.alignment(s) * l.alignment(s)
	// The struct's alignment is the greatest of its members'.
	l.align = max(l.align, l.alignment(s))
	l.fields = append(l.fields, field{name: name, off: l.size, shape: s})
	l.size += core.Bytes(s.typ)
}

// overlay adds a member at the place of the last one, which is not smaller.
func (l *layout) overlay(name string, s *shape) {
	l.fields = append(l.fields, field{name: name, off: l.fields[len(l.fields)-1].off, shape: s})
}

// alignment returns the alignment of s in bytes: an array is aligned as its elements, a struct
// within a struct at 8 bytes, even if its members need less.
func (l *layout) alignment(s *shape) int64 {
	if s.count > 0 {
		return l.alignment(s.elem)
	}
	// A scalar is aligned at its size, at most at that of a pointer.
	if s.isScalar() {
		return min(core.Bytes(s.typ), int64(l.ptr.Bits/8))
	}
	return 8
}

// finish makes s the struct with these members.
func (l *layout) finish(s *shape, name string) {
	s.fields = l.fields
	// Padding at the end makes the size a multiple of the alignment.
	s.typ = core.Agg{Name: "struct " + name, Size: (l.size + l.align - 1) / l.align * l.align}
}

// makeNode chooses the members of list elements:
//
//	struct node { int val; struct node *next; … };
//
// One to three more follow: pointers, integers of other sizes, arrays, unions, bit-fields, pointers
// to procedures, doubles.
func (g *generator) makeNode(w *world) {
	l := &layout{ptr: w.ptr}
	l.add("val", intShape(core.Int32))
	l.add("next", w.nodep)
	for i := range 1 + g.rng.IntN(3) {
		name := fmt.Sprintf("m%d", i)
		switch g.rng.IntN(11) {
		case 0:
			l.add(name, w.intp)
		case 1:
			l.add(name, intShape(pick(g, []core.Int{core.Uint8, core.Int8, core.Int16, core.Uint32, core.Int64, core.Bool})))
		case 2:
			l.add(name, array(intShape(core.Int32), 2+g.rng.Int64N(2)))
		case 3: // a union
			l.add(name, intShape(core.Int64))
			l.overlay(name+"i", intShape(core.Int32))
			l.overlay(name+"c", intShape(core.Uint8))
		case 4, 8, 9:
			l.bitFields(name)
		case 5, 6:
			l.add(name, w.procedurePointer(pick(g, w.sigs)))
		case 7:
			l.add(name, &shape{typ: core.Opaque{Name: "double", Size: 8}})
		default:
			l.add(name, intShape(core.Int32))
		}
	}
	l.finish(w.node, "node")
}

// bitFields adds two bit-fields that share a byte, and one that crosses its end. A write of one
// must keep the others.
//
//	unsigned m : 3;  int ms : 2;  unsigned mx : 5;     at the bits 0, 3 and 6
func (l *layout) bitFields(name string) {
	l.add(name, intShape(core.Int{Bits: 3}))
	at := l.fields[len(l.fields)-1].off
	l.fields = append(l.fields,
		field{name: name + "s", off: at, bit: 3, shape: intShape(core.Int{Bits: 2, Signed: true})},
		field{name: name + "x", off: at, bit: 6, shape: intShape(core.Int{Bits: 5})})
	l.size++
}

// makeOuter makes a struct that contains a node, so that a pointer to a node may point into another
// struct:
//
//	struct outer { int n; struct node in; struct node *p; };
//
// n and p are members in half of the programs each.
func (g *generator) makeOuter(w *world) *shape {
	l := &layout{ptr: w.ptr}
	if g.chance(2) {
		l.add("n", intShape(core.Int32))
	}
	l.add("in", w.node)
	if g.chance(2) {
		l.add("p", w.nodep)
	}
	s := &shape{}
	l.finish(s, "outer")
	return s
}

// newSignature makes a signature for procedures that are called through pointers.
func (g *generator) newSignature(w *world) *signature {
	s := &signature{}
	for range g.rng.IntN(3) {
		s.addFormal(g, w)
	}
	switch g.rng.IntN(8) {
	case 0, 1, 2, 3:
		s.result = intShape(core.Int32)
	case 4:
		s.result = w.nodep
	case 5:
		s.result = w.node
	}
	return s
}

// addFormal adds a formal of a type that is frequent in C.
func (s *signature) addFormal(g *generator, w *world) {
	var f *shape
	switch n := g.rng.IntN(13); {
	case n < 4:
		f = intShape(g.intType())
	case n < 8:
		f = w.intp
	case n < 11 || n == 12 && len(w.sigs) == 0:
		f = w.nodep
	case n == 11:
		f = w.node // by value
	default:
		f = w.procedurePointer(pick(g, w.sigs))
	}
	s.formals = append(s.formals, f)
	s.null = append(s.null, f.isPointer() && g.chance(3))
}
