package layout

import (
	"modernc.org/cc/v4"

	"c2bp/frontend/core"
)

// This file keeps track of the alignment of places, for in a packed struct scalars need
// not be aligned. C demands that a pointer is aligned for the type that it points to; a
// member at offset n of an object that is aligned by a is aligned by the greatest power
// of two that divides both.

// AlignmentOf returns the alignment of an object of type t in bytes, wherever it lies: that of t as
// a member, 1 if it is not known.
func (l *Table) AlignmentOf(t cc.Type) int64 {
	if t == nil || t.Kind() == cc.Void || t.Kind() == cc.Function {
		return 1
	}
	if r := l.Of(t); r.Known {
		if r.user {
			return r.align
		}
		return l.narrowed(t, r.align)
	}
	return 1
}

// AlignedAt returns the alignment of the address off bytes after one that is a multiple of align: 2
// for 6 bytes after a multiple of 4.
func AlignedAt(align, off int64) int64 {
	if off != 0 {
		align = min(align, off&-off)
	}
	return max(align, 1)
}

// IsPacked reports whether a scalar of type t at a multiple of align need not be aligned. It is
// aligned by its size, but by no more than a word. Bit-fields never need to be, unless they are as
// wide as ordinary integers.
func (l *Table) IsPacked(t core.Type, align int64) bool {
	if i, ok := t.(core.Int); ok && i.Bits&(i.Bits-1) != 0 {
		return false
	}
	return align < min(core.Bytes(t), l.word())
}
