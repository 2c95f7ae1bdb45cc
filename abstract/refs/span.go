package refs

import (
	"slices"

	"c2bp/frontend/core"
)

// This file counts the bytes from an object to a place in it.

// Span is bytes of an object: Size bytes from Off on; Size is -1 if that is not known. Of those of an array
// with an index that is not known, only Some are meant.
type Span struct {
	Off, Size int64
	Some      bool
}

// Covers reports whether size bytes from off on are certain to be among those of at.
func (at Span) Covers(off, size int64) bool {
	return at.Size > 0 && !at.Some && at.Off <= off && off+size <= at.Off+at.Size
}

// Within reports whether all bytes of at are among the first size bytes.
func (at Span) Within(size int64) bool {
	return at.Size >= 0 && at.Off >= 0 && at.Off+at.Size <= size
}

// Meets reports whether some of size bytes from off on may be among those of at.
func (at Span) Meets(off, size int64) bool {
	return at.Size < 0 || off < at.Off+at.Size && at.Off < off+size
}

// whole is the span of size bytes at a pointer.
func whole(size int64) Span {
	if size == 0 {
		return Span{Size: -1}
	}
	return Span{Size: size}
}

// add moves at by the displacement that an Offset or Index is.
func (at Span) add(e core.Expr) Span {
	switch e := e.(type) {
	case *core.Offset:
		at.Off += e.Off
	case *core.Index:
		if n, ok := core.ConstantOf(e.I); ok {
			at.Off += n * e.Size
			return at
		}
		// An array that is a member: any of its elements.
		if e.Count <= 0 || e.Count >= core.OpenEnd || at.Size < 0 {
			return Span{Size: -1}
		}
		at.Size += (e.Count - 1) * e.Size
		at.Some = true
	}
	return at
}

// wayTo lists the displacements from the base of an address to it.
func wayTo(address core.Expr) (way []core.Expr) {
	for e := address; ; {
		switch x := e.(type) {
		case *core.Offset:
			way, e = append(way, e), x.X
		case *core.Index:
			way, e = append(way, e), x.X
		default:
			slices.Reverse(way)
			return way
		}
	}
}

// along returns the bytes that size of them at the end of a way are, from its beginning on.
func along(way []core.Expr, size int64) Span {
	at := whole(size)
	for _, e := range way {
		at = at.add(e)
	}
	return at
}
