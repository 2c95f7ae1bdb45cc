package algebra

import (
	"math/big"

	"c2bp/frontend/core"
)

// This file defines the contents of a place after something of another width was stored in its
// bytes, as with unions and copied buffers, and the places that a write may have changed if only
// the remainder of its address is known, as with a[i] = s for an array of structs.

// bitsOf returns the number of bits of scalar type t, 0 for other types.
func bitsOf(t core.Type) int64 {
	if w, ok := core.Word(t); ok {
		return int64(w.Bits)
	}
	return 0
}

// firstBit returns the base of the address of l, and the number of the bit after it where the scalar
// at l starts; ok is false if l is a variable outside of memory.
func firstBit(l core.Loc, ptrBits int) (base core.Expr, bit int64, ok bool) {
	a := Address(l, ptrBits)
	if a == nil {
		return nil, 0, false
	}
	base, off := Base(a)
	if m, isMem := l.(*core.Mem); isMem {
		return base, 8*off + int64(m.Bit), true
	}
	return base, 8 * off, true
}

// Overlay returns the contents of m after value was stored in l, in a program with pointers of so many
// bits. If they have no bit in common, that
// is m itself; ok is false if it is not known how they lie.
//
//	short at p + 2, after a long v at p:  (short)(v >> 16)
//	int at p, after a char v at p + 1:    (int at p) & 0xffff00ff | (v & 0xff) << 8
func Overlay(m, l core.Loc, value core.Expr, ptrBits int) (e core.Expr, ok bool) {
	base, from, ok1 := firstBit(m, ptrBits)
	other, at, ok2 := firstBit(l, ptrBits)
	width, stored := bitsOf(m.Type()), bitsOf(l.Type())
	if !ok1 || !ok2 || width == 0 || stored == 0 || !core.Equal(base, other) {
		return nil, false
	}
	// Bit i of m is bit i + shift of the value, for i of [lo, hi).
	shift := from - at
	lo, hi := max(0, -shift), min(width, stored-shift)
	switch {
	case lo >= hi:
		return m, true
	case lo == 0 && hi == width && shift == 0:
		return Convert(value, m.Type()), true
	}
	word := core.Uint64
	number := func(v *big.Int) core.Expr { return &core.Const{Val: v, Typ: word} }
	ones := func(from, to int64) *big.Int {
		v := new(big.Int).Lsh(big.NewInt(1), uint(to-from))
		return v.Lsh(v.Sub(v, big.NewInt(1)), uint(from))
	}
	binary := func(op core.BinaryOp, x, y core.Expr) core.Expr { return &core.Binary{Op: op, X: x, Y: y} }
	// 1. Move the stored bits to where they are in m.
	bits := Convert(value, word)
	if lo+shift > 0 {
		bits = binary(core.Shr, bits, number(big.NewInt(lo+shift)))
	}
	if hi < width {
		bits = binary(core.And, bits, number(ones(0, hi-lo)))
	}
	if lo > 0 {
		bits = binary(core.Shl, bits, number(big.NewInt(lo)))
	}
	// 2. The other bits of m are as before.
	if kept := new(big.Int).Sub(ones(0, width), ones(lo, hi)); kept.Sign() > 0 {
		bits = binary(core.Or, binary(core.And, Convert(m, word), number(kept)), bits)
	}
	return Convert(bits, m.Type()), true
}

// LiteralValue returns the contents of m if the first of its bytes are text, in little-endian order;
// nil if text is too short, or if m is no scalar.
func LiteralValue(text []byte, m *core.Mem) core.Expr {
	width := bitsOf(m.Typ)
	n := (int64(m.Bit) + width + 7) / 8
	if width == 0 || n > int64(len(text)) {
		return nil
	}
	v := new(big.Int)
	for i := n - 1; i >= 0; i-- {
		v.Or(v.Lsh(v, 8), big.NewInt(int64(text[i])))
	}
	w, _ := core.Word(m.Typ)
	return Convert(&core.Const{Val: w.Convert(v.Rsh(v, uint(m.Bit))), Typ: w}, m.Typ)
}

// maxCandidates bounds the offsets in a written range at which a read may lie.
const maxCandidates = 4

// Offsets returns the offsets from dst, in a range of size bytes, at which place m may lie: those that
// agree with the common divisor of the element sizes by which both addresses are indexed. It returns
// nil if the addresses start from different roots, if there is no such offset, or if there are more
// than maxCandidates.
func Offsets(m core.Loc, dst core.Expr, size int64, ptrBits int) (offsets []int64) {
	root, at, stride := Root(Address(m, ptrBits))
	other, from, step := Root(dst)
	unit := new(big.Int).GCD(nil, nil, big.NewInt(stride), big.NewInt(step)).Int64()
	switch n := core.Bytes(m.Type()); {
	case size <= 0 || !core.Equal(root, other):
		return nil
	// No index is open: the place lies in the range, at one offset.
	case unit == 0 && at >= from && at+n <= from+size:
		return []int64{at - from}
	case unit == 0:
		return nil
	}
	// Otherwise at all offsets that agree modulo the common unit.
	for off := ((at-from)%unit + unit) % unit; off+core.Bytes(m.Type()) <= size; off += unit {
		if offsets = append(offsets, off); len(offsets) > maxCandidates {
			return nil
		}
	}
	return offsets
}

// Root splits address e into the expression from which it starts, a constant offset, and the greatest
// common divisor of the sizes of elements that other indices count, 0 if there is no such index.
//
//	&a[i].f       a, offset of f, size of an element
//	&a[3][j]      a, 3 rows, size of an element of a row
func Root(e core.Expr) (root core.Expr, off, stride int64) {
	for {
		base, n := Base(e)
		off += n
		x, ok := base.(*core.Index)
		if !ok || x.Size <= 0 {
			return base, off, stride
		}
		stride = new(big.Int).GCD(nil, nil, big.NewInt(stride), big.NewInt(x.Size)).Int64()
		e = x.X
	}
}
