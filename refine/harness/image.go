package harness

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"c2bp/frontend/core/interp"
)

// This file defines bytes that come from outside, and their origins. Both are sparse: an array of a
// gigabyte of which a run reads one element takes the space of one.

// image is a sequence of bytes that a function stores, or that an object contains at its start.
// Their values become known when the program reads them.
type image struct {
	size int64
	rest imageByte           // those that are not in set
	set  map[int64]imageByte // by offset

	// pointers are those into memory that the program does not define, by offset: what is
	// in set there are their addresses in the recorded run.
	pointers map[int64]place
}

// imageByte is a byte whose value may be unknown.
type imageByte struct {
	known bool
	value byte
}

// newImage returns an image of unknown bytes.
func newImage(size int64) *image { return &image{size: size, set: map[int64]imageByte{}} }

// filledImage returns an image whose bytes are all value.
func filledImage(size int64, value byte) *image {
	img := newImage(size)
	img.rest = imageByte{true, value}
	return img
}

// knownImage returns an image of known bytes.
func knownImage(bytes []byte) *image {
	img := newImage(int64(len(bytes)))
	for i, b := range bytes {
		img.set[int64(i)] = imageByte{true, b}
	}
	return img
}

// stretch is a run of equal bytes of an image, from offset from to offset to.
type stretch struct {
	from, to int64
	imageByte
}

// stretches returns the known bytes of img as maximal runs, in order.
func (img *image) stretches() (out []stretch) {
	add := func(from, to int64, b imageByte) {
		if from >= to || !b.known {
			return
		}
		// Continue the run before if it has the same value.
		if n := len(out); n > 0 && out[n-1].to == from && out[n-1].imageByte == b {
			out[n-1].to = to
			return
		}
		out = append(out, stretch{from, to, b})
	}
	// Between the bytes that are set are those with the common value.
	next := int64(0)
	for _, i := range slices.Sorted(maps.Keys(img.set)) {
		add(next, i, img.rest)
		add(i, i+1, img.set[i])
		next = i + 1
	}
	add(next, img.size, img.rest)
	return out
}

// addresses returns the offsets of addresses in img, in order.
func (img *image) addresses() (offsets []int64) {
	if img == nil {
		return nil
	}
	return slices.Sorted(maps.Keys(img.pointers))
}

// initialiser returns the initialiser of an array of bytes with the contents img; zeros are left
// out.
//
//	= { [0] = 5, [4 ... 63] = 255 }
func (img *image) initialiser() string {
	if img == nil {
		return ""
	}
	var list []string
	for _, s := range img.stretches() {
		switch {
		case s.value == 0:
		case s.to-s.from > 16:
			list = append(list, fmt.Sprintf("[%d ... %d] = %d", s.from, s.to-1, s.value))
		default:
			for i := s.from; i < s.to; i++ {
				list = append(list, fmt.Sprintf("[%d] = %d", i, s.value))
			}
		}
	}
	if len(list) == 0 {
		return ""
	}
	return " = { " + strings.Join(list, ", ") + " }"
}

// origin says that the bytes of an object from offset from to offset to are those of an image from
// at on.
type origin struct {
	from, to int64
	image    *image
	at       int64
}

// memory tracks the origins of bytes that the program reads and has not written.
type memory struct {
	origins map[*interp.Object][]origin // in order, without overlaps
	made    map[*interp.Object]int      // index in Recording.objects
}

// supply records that size bytes of o from off on are those of img.
func (m *memory) supply(o *interp.Object, off, size int64, img *image) {
	if img == nil {
		m.overwrite(o, off, size)
		return
	}
	m.replace(o, off, size, []origin{{off, off + size, img, 0}})
}

// overwrite records that size bytes of o from off on have no origin any more.
func (m *memory) overwrite(o *interp.Object, off, size int64) {
	if len(m.origins[o]) > 0 {
		m.replace(o, off, size, nil)
	}
}

// move records that size bytes are copied, and their origins with them.
func (m *memory) move(to *interp.Object, at int64, from *interp.Object, off, size int64) {
	if off < 0 || at < 0 || size > from.Size()-off || size > to.Size()-at {
		return
	}
	// Origins move with their bytes; the bytes of an image keep their place in it.
	var moved []origin
	for _, s := range m.within(from, off, off+size) {
		moved = append(moved, origin{s.from - off + at, s.to - off + at, s.image, s.at})
	}
	if len(moved) > 0 || len(m.origins[to]) > 0 {
		m.replace(to, at, size, moved)
	}
}

// within returns the origins of the bytes of o from offset from to offset to, cut to that range.
func (m *memory) within(o *interp.Object, from, to int64) (out []origin) {
	list := m.origins[o]
	// The first origin that ends after from.
	k, _ := slices.BinarySearchFunc(list, from, func(s origin, at int64) int {
		if s.to <= at {
			return -1
		}
		return 1
	})
	for ; k < len(list) && list[k].from < to; k++ {
		s := list[k]
		if s.from < from {
			s.at, s.from = s.at+from-s.from, from
		}
		s.to = min(s.to, to)
		out = append(out, s)
	}
	return out
}

// replace sets the origins of size bytes of o from off on to with, cut to the size of o.
func (m *memory) replace(o *interp.Object, off, size int64, with []origin) {
	from, to := max(off, 0), min(off+size, o.Size())
	if from >= to {
		return
	}
	// The parts before and after the range are kept.
	before, after := m.within(o, 0, from), m.within(o, to, o.Size())
	list := before
	for _, s := range with {
		if s.from < from {
			s.at, s.from = s.at+from-s.from, from
		}
		if s.to = min(s.to, to); s.from < s.to {
			list = append(list, s)
		}
	}
	m.origins[o] = append(list, after...)
}
