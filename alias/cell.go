package alias

import (
	"cmp"

	"c2bp/frontend/core"
)

// This file defines the arithmetic of offsets. Addresses count bytes; cells, the ranges that an
// access reads or writes, count bits, so that two bit-fields of one byte differ.
//
//	&tab[i].p     address {off 8, stride 16}        in an array of structs of 16 bytes
//	tab[i].p      cell {off 64, stride 128, bits 64}
//	s.flag        cell {off 35, bits 1}             a bit-field in byte 4

// address is a Target by the index of its object.
type address struct {
	object             int32
	off, stride, count int64
}

// at returns the address of byte off of object.
func at(object int32, off int64) address { return address{object: object, off: off} }

// compare orders addresses by object, stride, offset and count.
func (a address) compare(b address) int {
	return cmp.Or(
		cmp.Compare(a.object, b.object),
		cmp.Compare(a.stride, b.stride),
		cmp.Compare(a.off, b.off),
		cmp.Compare(a.count, b.count))
}

// within reports whether every address of a is one of b, in the same object; false if b has no stride.
func (a address) within(b address) bool {
	if b.stride == 0 || a.stride%b.stride != 0 || mod(a.off-b.off, b.stride) != 0 {
		return false
	}
	// Congruent addresses are in b unless they are before its first or after its last.
	return !b.isBounded() || a.isBounded() && a.off >= b.off && a.last() <= b.last()
}

// isBounded reports whether a has a first and a last address.
func (a address) isBounded() bool { return a.stride == 0 || a.count > 0 }

// last returns the last address of a, which is bounded.
func (a address) last() int64 { return a.off + max(a.count-1, 0)*a.stride }

// limit bounds offsets: no object has a place that is farther away.
const limit = 1 << 40

// add returns a displaced by off and by 0 to count-1 times stride, or if count is 0 by any multiple
// of stride. The result includes all sums, and may include more if strides differ:
//
//	{off 8} + 4                        {off 12}
//	{off 8} + 16k                      {off 8, stride 16}
//	{off 0, stride 24} + 16k           {off 0, stride 8}
//	{off 8} + 16k, k < 4               {off 8, stride 16, count 4}
func (a address) add(off, stride, count int64) address {
	g := gcd(a.stride, stride)
	// 1. Give up on offsets that no object has.
	if off > limit || off < -limit || a.off > limit || a.off < -limit || g > limit {
		return a.anywhere()
	}
	// 2. Displace, and keep first and last address if the result is bounded.
	a.off += off
	last := a.last() + max(count-1, 0)*stride
	// The result is unbounded, a single address, or a bounded set with the common stride.
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

// anywhere returns all addresses of the object.
func (a address) anywhere() address { return address{object: a.object, stride: 1} }

// unbounded is the extent of an access of unknown size, in bits.
const unbounded = 1 << 50

// extent converts a number of bytes to bits; 0 bytes stand for an unknown size.
func extent(bytes int64) int64 {
	if bytes <= 0 || bytes > limit {
		return unbounded
	}
	return bytes * 8
}

// cell is a set of ranges of bits [off + k*stride, off + k*stride + bits) in an object: for k = 0
// alone if stride is 0, else for 0 <= k < count, or for every integer k if count is 0.
type cell struct {
	off, stride, bits, count int64
}

// cell returns the cell of bits bits that begins first bits after a.
func (a address) cell(first, bits int64) cell {
	return cell{a.off*8 + first, a.stride * 8, bits, a.count}.modulo()
}

// whole returns the cell of an entire object of size bits, 0 if the size is unknown.
func whole(size int64) cell {
	if size == 0 {
		return cell{stride: 8, bits: 8}
	}
	return cell{bits: size}
}

// modulo returns c with the least offset that is not negative, if it is not bounded.
func (c cell) modulo() cell {
	if !c.isBounded() {
		c.off = mod(c.off, c.stride)
	}
	return c
}

// isBounded reports whether c has a first and a last range.
func (c cell) isBounded() bool { return c.stride == 0 || c.count > 0 }

// isRun reports whether c is all bits from the least on, without end: the whole of an object whose size is not known.
func (c cell) isRun() bool { return c.stride != 0 && c.count == 0 && c.bits >= c.stride }

// end returns the end of the last range of c, which is bounded.
func (c cell) end() int64 { return c.off + max(c.count-1, 0)*c.stride + c.bits }

// overlaps reports whether c and d may share a bit. It may be true too often for cells with a
// count: the bounds are compared as a whole, and the distances modulo the strides, independently.
func (c cell) overlaps(d cell) bool {
	// 1. All of one is before all of the other.
	if c.isBounded() && d.isBounded() && (c.off >= d.end() || d.off >= c.end()) {
		return false
	}
	// 2. Distances of two ranges are equal modulo the greatest common divisor of the strides.
	g := gcd(c.stride, d.stride)
	if g == 0 {
		return true
	}
	r := mod(d.off-c.off, g)
	return r < c.bits || g-r < d.bits
}

// both returns the bits of c that are in d, which has no stride, or c if it has one; ok is false if there are none.
func (c cell) both(d cell) (_ cell, ok bool) {
	if c.stride != 0 {
		return c, c.overlaps(d)
	}
	off, end := max(c.off, d.off), min(c.end(), d.end())
	return cell{off: off, bits: end - off}, off < end
}

// in returns c restricted to an object of size bits (0: unknown); ok is false if nothing is left. A
// cell of which only one range fits loses its stride, so that equal accesses have equal cells.
func (c cell) in(size int64) (_ cell, ok bool) {
	// 1. Ranges that touch each other make one range.
	c = c.modulo()
	switch {
	case c.stride == 0 || c.bits < c.stride:
	case c.count == 0:
		c = whole(size)
	default:
		c = cell{off: c.off, bits: c.end() - c.off}
	}
	// 2. Cut off what is outside of the object.
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

// bitRange returns the first bit and the length of a scalar of type t that starts bit bits after
// its address.
func bitRange(t core.Type, bit int) (first, bits int64) {
	if t, ok := t.(core.Int); ok {
		return int64(bit), int64(t.Bits)
	}
	return int64(bit), extent(core.Bytes(t))
}

// abs returns the absolute value of k.
func abs(k int64) int64 { return max(k, -k) }

// gcd returns the greatest common divisor of a and b, neither of which is negative.
func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// mod returns the remainder of a by b > 0, which is never negative.
func mod(a, b int64) int64 {
	r := a % b
	if r < 0 {
		r += b
	}
	return r
}

// compare orders cells by offset, stride, length and count.
func (c cell) compare(d cell) int {
	return cmp.Or(cmp.Compare(c.off, d.off), cmp.Compare(c.stride, d.stride), cmp.Compare(c.bits, d.bits), cmp.Compare(c.count, d.count))
}
