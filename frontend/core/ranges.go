package core

import (
	"fmt"
	"slices"
	"strings"
)

// This file defines sets of bytes of an object.

// Far is beyond the end of every object: the End of a Range that is not known.
const Far = 1 << 46

// Range is the bytes of an object from Off up to, but not including, End.
type Range struct{ Off, End int64 }

// Both returns the bytes in r and in s.
func (r Range) Both(s Range) Range { return Range{max(r.Off, s.Off), min(r.End, s.End)} }

// DeclaredTarget returns the bytes of the object that the pointer at l leads to by its declaration, counted from where it
// leads; the first one if that is not known.
func DeclaredTarget(l Loc) Range {
	to := DeclaredRecord(l)
	if to == nil {
		return Range{0, 1}
	}
	return Range{0, max(to.Size, 1)}
}

// DeclaredRecord returns the struct that the pointer at l leads to by its declaration, nil if that is not known. A
// symbolic constant is the pointer on entry.
func DeclaredRecord(l Loc) *Record {
	switch l := l.(type) {
	case *VarRef:
		if init, ok := l.Var.Init.(Loc); ok && l.Var.To == nil {
			return DeclaredRecord(init)
		}
		return l.Var.To
	case *Mem:
		return l.To
	}
	return nil
}

// Ranges is a set of bytes: in order, with bytes between any two that are not in it.
type Ranges []Range

// With returns r and the bytes of more, which need not be in order; empty ranges add nothing. r
// stays as it is.
func (r Ranges) With(more ...Range) Ranges {
	// Sort by begin, and join ranges that touch.
	all := append(slices.Clone(r), more...)
	slices.SortFunc(all, func(a, b Range) int { return int(max(-1, min(1, a.Off-b.Off))) })
	var out Ranges
	for _, x := range all {
		switch n := len(out); {
		// An empty range.
		case x.Off >= x.End:
		case n > 0 && x.Off <= out[n-1].End:
			out[n-1].End = max(out[n-1].End, x.End)
		default:
			out = append(out, x)
		}
	}
	return out
}

// Without returns r less the bytes of s: {0-8} without {2-4} is {0-2, 4-8}.
func (r Ranges) Without(s Ranges) Ranges {
	var out Ranges
	for _, x := range r {
		// Cut y out of x: keep the part before it, and continue with the part after it.
		for _, y := range s {
			if y.End <= x.Off || y.Off >= x.End {
				continue
			}
			if x.Off < y.Off {
				out = append(out, Range{x.Off, y.Off})
			}
			if x.Off = y.End; x.Off >= x.End {
				break
			}
		}
		if x.Off < x.End {
			out = append(out, x)
		}
	}
	return out
}

// Common returns the bytes in both.
func (r Ranges) Common(s Ranges) Ranges { return r.Without(r.Without(s)) }

// String returns "0-4, 8-": an end that is not known is left out.
func (r Ranges) String() string {
	var out []string
	for _, x := range r {
		end := ""
		if x.End < Far {
			end = fmt.Sprint(x.End)
		}
		out = append(out, fmt.Sprintf("%d-%s", x.Off, end))
	}
	return strings.Join(out, ", ")
}
