package harness

import (
	"math/big"

	"c2bp/frontend/core"
	"c2bp/frontend/core/interp"
)

// This file describes what calls of functions do to memory, in terms that a C function
// can repeat: addresses relative to what it knows.

// base is what an address is relative to.
type base int

const (
	number   base = iota // nothing: it is no address
	outside              // memory that the program does not define
	argument             // argument number index of the call
	made                 // the object number index that the harness makes
)

// place is an address.
type place struct {
	base  base
	index int
	off   int64
}

// image is bytes that a function stores, or that an object holds from its start. Which
// they are is known when the program reads them.
type image []imageByte

type imageByte struct {
	known bool
	value byte
}

// origin is the byte of an image that a byte of memory comes from.
type origin struct {
	image image
	at    int64
}

// effect is what a function does to memory.
type effect struct {
	to    place
	from  *place // bytes are copied from there, if not nil
	size  int64
	image image // of size bytes, if from is nil
}

// madeObject is an object that the harness makes: allocated memory.
type madeObject struct {
	image image
	name  string // of the function that allocates it
}

// memory follows where the bytes come from that the program reads and did not write.
type memory struct {
	origins map[*interp.Object][]origin
	made    map[*interp.Object]int // index in Recording.objects
}

// supply notes that size bytes of o from off on are those of img.
func (m *memory) supply(o *interp.Object, off, size int64, img image) {
	list := m.of(o)
	for i := range size {
		if at := off + i; at >= 0 && at < int64(len(list)) {
			list[at] = origin{img, i}
		}
	}
}

// of is the origins of the bytes of o.
func (m *memory) of(o *interp.Object) []origin {
	if m.origins[o] == nil {
		m.origins[o] = make([]origin, o.Size())
	}
	return m.origins[o]
}

// overwrite notes that size bytes of o from off on have no origin any more.
func (m *memory) overwrite(o *interp.Object, off, size int64) {
	if list := m.origins[o]; list != nil && off >= 0 && off <= int64(len(list)) {
		clear(list[off:min(off+size, int64(len(list)))])
	}
}

// move notes that size bytes are copied.
func (m *memory) move(to *interp.Object, at int64, from *interp.Object, off, size int64) {
	if m.origins[from] == nil {
		m.overwrite(to, at, size)
		return
	}
	src, dst := m.of(from), m.of(to)
	if off >= 0 && at >= 0 && off+size <= int64(len(src)) && at+size <= int64(len(dst)) {
		copy(dst[at:at+size], src[off:off+size])
	}
}

// decide notes the value v of the bytes of o from off on, which somebody supplies. It
// reports false if nobody does.
func (m *memory) decide(o *interp.Object, off int64, v *big.Int, t core.Int) bool {
	list := m.origins[o]
	size := core.Bytes(t)
	if off < 0 || off+size > int64(len(list)) {
		return false
	}
	for _, b := range list[off : off+size] {
		if b.image == nil {
			return false
		}
	}
	bits := core.Uint64.Convert(v).Uint64()
	for i, b := range list[off : off+size] {
		b.image[b.at] = imageByte{true, byte(bits >> (8 * i))}
	}
	return true
}

// arguments are the addresses that a call passes, nil for what is none.
type arguments []*big.Int

// evaluate is the values of the arguments e in f.
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

// locate describes the address v to a function that is called with args. It reports false
// if the function cannot know it.
func (r *Recorder) locate(v *big.Int, args arguments) (place, bool) {
	o := r.object(v)
	if o == nil || v.Sign() == 0 {
		return place{}, true
	}
	off := int64(v.Uint64() - o.Start())
	if k, ok := r.memory.made[o]; ok {
		return place{base: made, index: k, off: off}, true
	}
	for i, a := range args {
		if a != nil && a.Sign() != 0 && r.object(a) == o {
			return place{base: argument, index: i, off: int64(v.Uint64() - a.Uint64())}, true
		}
	}
	if o.External() {
		r.recording.outside = o
		return place{base: outside, off: off}, true
	}
	return place{}, false
}

// object is the object at the address v, or nil; there is none while the machine is made.
func (r *Recorder) object(v *big.Int) *interp.Object {
	if r.machine == nil || v == nil || !v.IsUint64() {
		return nil
	}
	return r.machine.Object(v.Uint64())
}
