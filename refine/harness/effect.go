package harness

import (
	"math/big"

	"c2bp/frontend/core"
	"c2bp/frontend/core/interp"
	"c2bp/source"
)

// This file describes the effects of calls on memory in terms that a C function can repeat: its
// addresses are relative to memory that the function knows.

// base is the reference point of an address.
type base int

const (
	number   base = iota // nothing: it is no address
	outside              // memory that the program does not define
	argument             // argument number index of the call
	made                 // the object number index that the harness makes
)

// place is an address relative to a base.
type place struct {
	base  base
	index int
	in    *lentObject // outside: where the address is in it
	off   int64
}

// effect is one change of memory by a function.
type effect struct {
	to    place
	from  *place // bytes are copied from there, if not nil
	size  int64
	image *image // of size bytes, if from is nil
}

// madeObject is an object that the harness defines for allocated memory.
type madeObject struct {
	image *image
	name  string // of the function that allocates it
	pos   source.Pos
}

// decide sets the bytes of o from off on, which are supplied from outside, to the value v. If v is
// an address outside of the program, at is its place. It reports false if some of the bytes are not
// supplied.
func (m *memory) decide(o *interp.Object, off int64, v *big.Int, t core.Int, at place) bool {
	size := core.Bytes(t)
	if off < 0 || off > o.Size()-size {
		return false
	}
	// 1. The origins of the bytes must cover them without holes.
	list := m.within(o, off, off+size)
	next := off
	for _, s := range list {
		if s.from != next {
			return false
		}
		next = s.to
	}
	if next != off+size {
		return false
	}
	// 2. An address is stored as an address, in one piece.
	if at.base != number {
		if len(list) != 1 {
			return false
		}
		// The address takes the place of its bytes when the image is written.
		if img := list[0].image; img.pointers == nil {
			img.pointers = map[int64]place{}
		}
		list[0].image.pointers[list[0].at] = at
	}
	// 3. The bytes, little endian.
	bits := core.Uint64.Convert(v).Uint64()
	for _, s := range list {
		for i := s.from; i < s.to; i++ {
			s.image.set[s.at+i-s.from] = imageByte{true, byte(bits >> (8 * (i - off)))}
		}
	}
	return true
}

// arguments are the addresses that a call passes; nil for other values.
type arguments []*big.Int

// evaluate returns the values of the arguments e in f.
func evaluate(f *interp.Frame, e []core.Expr) arguments {
	list := make(arguments, len(e))
	for i, x := range e {
		if x == nil {
			continue
		}
		if v, err := f.Eval(x); err == nil && v.IsUint64() {
			list[i] = v
		}
	}
	return list
}

// locate describes the address v for a function that is called with args. It reports false if the
// function cannot know that address.
func (r *Recorder) locate(v *big.Int, args arguments) (place, bool) {
	o := r.object(v)
	if o == nil || v.Sign() == 0 {
		return place{}, true
	}
	// Its object, and the offset in that.
	off := int64(v.Uint64() - o.Start())
	// The harness's own memory, an object that an argument points into, memory outside, in this
	// order.
	if k, ok := r.memory.made[o]; ok {
		return place{base: made, index: k, off: off}, true
	}
	for i, a := range args {
		if a != nil && a.Sign() != 0 && r.object(a) == o {
			return place{base: argument, index: i, off: int64(v.Uint64() - a.Uint64())}, true
		}
	}
	if o.External() {
		return r.recording.lent(o).at(v), true
	}
	return place{}, false
}

// object returns the object at the address v, or nil; there is none while the machine is being
// made.
func (r *Recorder) object(v *big.Int) *interp.Object {
	if r.machine == nil || v == nil || !v.IsUint64() {
		return nil
	}
	return r.machine.Object(v.Uint64())
}
