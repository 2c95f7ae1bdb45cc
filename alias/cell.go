package alias

import (
	"cmp"

	"c2bp/frontend/core"
)

// This file defines the arithmetic of offsets: addresses count bytes, cells (what an
// access reads or writes) bits, so that two bit-fields of one byte are apart.

// address is a Target by the number of its object.
type address struct {
	object             int32
	off, stride, count int64
}

// at is the address of byte off of object.
func at(object int32, off int64) address { return address{object: object, off: off} }

func (a address) compare(b address) int {
	return cmp.Or(
		cmp.Compare(a.object, b.object),
		cmp.Compare(a.stride, b.stride),
		cmp.Compare(a.off, b.off),
		cmp.Compare(a.count, b.count))
}

// within reports whether every address of a is one of b, of the same object.
func (a address) within(b address) bool {
	if b.stride == 0 || a.stride%b.stride != 0 || mod(a.off-b.off, b.stride) != 0 {
		return false
	}
	return !b.isBounded() || a.isBounded() && a.off >= b.off && a.last() <= b.last()
}

// isBounded reports whether a has a first and a last address.
func (a address) isBounded() bool { return a.stride == 0 || a.count > 0 }

// last is the last address of a, which is bounded.
func (a address) last() int64 { return a.off + max(a.count-1, 0)*a.stride }

// limit bounds offsets: what is farther away is no place in any object.
const limit = 1 << 40

// add is a displaced by off and by 0 to count-1 times stride, or if count is 0 by any
// multiple of stride.
func (a address) add(off, stride, count int64) address {
	g := gcd(a.stride, stride)
	if off > limit || off < -limit || a.off > limit || a.off < -limit || g > limit {
		return a.anywhere()
	}
	a.off += off
	last := a.last() + max(count-1, 0)*stride
	switch {
	case !a.isBounded() || stride != 0 && count == 0 || last > limit:
		a.stride, a.count = g, 0
		if g != 0 {
			a.off = mod(a.off, g)
		}
	case a.off == last:
		a.stride, a.count = 0, 0
	default:
		a.stride, a.count = g, (last-a.off)/g+1
	}
	return a
}

// anywhere is all addresses of the object.
func (a address) anywhere() address { return address{object: a.object, stride: 1} }

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
// for k = 0 alone if stride is 0, else for 0 <= k < count, or for every integer k if
// count is 0.
type cell struct {
	off, stride, bits, count int64
}

// cell is the bits that begin first bits behind a.
func (a address) cell(first, bits int64) cell {
	return cell{a.off*8 + first, a.stride * 8, bits, a.count}.modulo()
}

// whole is the cell of all of an object of size bits, 0 if that is unknown.
func whole(size int64) cell {
	if size == 0 {
		return cell{stride: 8, bits: 8}
	}
	return cell{bits: size}
}

func (c cell) modulo() cell {
	if !c.isBounded() {
		c.off = mod(c.off, c.stride)
	}
	return c
}

// isBounded reports whether c has a first and a last range.
func (c cell) isBounded() bool { return c.stride == 0 || c.count > 0 }

// end is the end of the last range of c, which is bounded.
func (c cell) end() int64 { return c.off + max(c.count-1, 0)*c.stride + c.bits }

func (c cell) overlaps(d cell) bool {
	if c.isBounded() && d.isBounded() && (c.off >= d.end() || d.off >= c.end()) {
		return false
	}
	g := gcd(c.stride, d.stride)
	if g == 0 {
		return true
	}
	r := mod(d.off-c.off, g)
	return r < c.bits || g-r < d.bits
}

// in is c cut down to an object of size bits (0: unknown); ok is false if nothing is
// left. A cell that fits in only once loses its stride.
func (c cell) in(size int64) (_ cell, ok bool) {
	c = c.modulo()
	switch {
	case c.stride == 0 || c.bits < c.stride:
	case c.count == 0:
		c = whole(size)
	default:
		c = cell{off: c.off, bits: c.end() - c.off}
	}
	if size == 0 {
		return c, true
	}
	if c.stride != 0 && c.off+c.stride >= size && c.off-c.stride+c.bits <= 0 {
		c.stride, c.count = 0, 0
	}
	if c.stride != 0 {
		return c, c.count == 0 || c.off < size && c.end() > 0
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
	return cmp.Or(cmp.Compare(c.off, d.off), cmp.Compare(c.stride, d.stride), cmp.Compare(c.bits, d.bits), cmp.Compare(c.count, d.count))
}
