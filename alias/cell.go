package alias

import (
	"cmp"

	"c2bp/frontend/core"
)

// This file defines the arithmetic of offsets: addresses count bytes, cells (what an
// access reads or writes) bits, so that two bit-fields of one byte are apart.

// address is a Target by the number of its object.
type address struct {
	object      int32
	off, stride int64
}

func (a address) compare(b address) int {
	return cmp.Or(
		cmp.Compare(a.object, b.object),
		cmp.Compare(a.stride, b.stride),
		cmp.Compare(a.off, b.off))
}

// within reports whether every address of a is one of b, of the same object.
func (a address) within(b address) bool {
	return b.stride != 0 && a.stride%b.stride == 0 && mod(a.off-b.off, b.stride) == 0
}

// limit bounds offsets: what is farther away is no place in any object.
const limit = 1 << 40

// add is a displaced by off and any multiple of stride.
func (a address) add(off, stride int64) address {
	a.stride = gcd(a.stride, stride)
	if off > limit || off < -limit || a.off > limit || a.off < -limit || a.stride > limit {
		return a.anywhere()
	}
	a.off += off
	if a.stride != 0 {
		a.off = mod(a.off, a.stride)
	}
	return a
}

// anywhere is all addresses of the object.
func (a address) anywhere() address { return address{a.object, 0, 1} }

// unbounded is the extent of an access of unknown size.
const unbounded = 1 << 50

// extent is a number of bytes in bits; 0 is unknown.
func extent(bytes int64) int64 {
	if bytes <= 0 || bytes > limit {
		return unbounded
	}
	return bytes * 8
}

// cell is the ranges of bits [off + k*stride, off + k*stride + bits) of an object,
// for k = 0 alone if stride is 0, else for every integer k.
type cell struct {
	off, stride, bits int64
}

// whole is the cell of all of an object of size bits, 0 if that is unknown.
func whole(size int64) cell {
	if size == 0 {
		return cell{0, 8, 8}
	}
	return cell{0, 0, size}
}

func (c cell) modulo() cell {
	if c.stride != 0 {
		c.off = mod(c.off, c.stride)
	}
	return c
}

func (c cell) overlaps(d cell) bool {
	g := gcd(c.stride, d.stride)
	if g == 0 {
		return c.off < d.off+d.bits && d.off < c.off+c.bits
	}
	r := mod(d.off-c.off, g)
	return r < c.bits || g-r < d.bits
}

// in is c cut down to an object of size bits (0: unknown); ok is false if nothing is
// left. A cell that fits in only once loses its stride.
func (c cell) in(size int64) (_ cell, ok bool) {
	c = c.modulo()
	if c.stride != 0 && c.bits >= c.stride {
		c = whole(size)
	}
	if size == 0 {
		return c, true
	}
	if c.stride != 0 && c.off+c.stride >= size && c.off-c.stride+c.bits <= 0 {
		c.stride = 0
	}
	if c.stride != 0 {
		return c, true
	}
	if c.off+c.bits > size {
		c.bits = size - c.off
	}
	return c, c.bits > 0 && c.off+c.bits > 0
}

// bitRange is where a scalar of type t lies that starts bit bits behind its address,
// and how long it is.
func bitRange(t core.Type, bit int) (first, bits int64) {
	if t, ok := t.(core.Int); ok {
		return int64(bit), int64(t.Bits)
	}
	return int64(bit), extent(core.Bytes(t))
}

func abs(k int64) int64 { return max(k, -k) }

func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// mod is the remainder of a by b > 0, never negative.
func mod(a, b int64) int64 {
	r := a % b
	if r < 0 {
		r += b
	}
	return r
}

func (c cell) compare(d cell) int {
	return cmp.Or(cmp.Compare(c.off, d.off), cmp.Compare(c.stride, d.stride), cmp.Compare(c.bits, d.bits))
}
