package alias

import (
	"slices"

	"c2bp/frontend/core"
)

// This file says how objects outside of the program lie over each other although their types do not nest: as the
// program itself lays them. A value that it follows as a struct gate, and as a struct mux 8 bytes before, says that a
// mux may begin 8 bytes before a gate, and nothing about other distances.
//
//	struct hw { … };  struct mux { long id; struct hw hw; lock_t *lock; };  struct gate { long id; struct hw hw; char *count; };
//	h = get();  container_of(h, struct mux, hw)->id;  container_of(h, struct gate, hw)->id
//
//	a gate at byte 0 of a mux              so mux->id and gate->id may be one place, mux->lock and gate->id not
//	of their parts, at the same distance   an int at byte 8 of another mux may be a part of gate->hw
//
// Overlays are of pairs of types. They are composed with nesting, but not with each other: what the program
// lays over a struct b, and the struct b over a c, it has not laid over the c. Where one value is followed as all three,
// each pair is an overlay of its own.

// overlay says that an object of shape b may begin at a distance, or at one of several, from the start of one of
// shape a.
type overlay struct {
	a, b core.Shape
	at   address // of b, from the start of a; its object means nothing
}

// laid is all distances of two shapes.
type laid struct {
	a, b core.Shape
	at   []address
}

// pair is two shapes, and whether the object of the second one is complete.
type pair struct {
	a, b     core.Shape
	complete bool
}

// mostDistances bounds the distances of two shapes that are told apart. More are merged to one with a stride.
const mostDistances = 64

// overlayOf returns the overlay of the objects of two follows of one value, if that may be displaced by any multiple
// of stride.
func overlayOf(a, b follow, stride int64) overlay {
	x := overlay{a.shape, b.shape, b.at.from(a.at)}
	if stride > 0 {
		x.at = x.at.add(0, stride, 0)
	}
	x.at.object = 0
	return x
}

// from returns the distances of the addresses of b from those of a.
//
//	{off 24} from {off 8}                             {off 16}
//	{off 24} from {off 0, stride 8, count 3}          {off 8, stride 8, count 3}
func (b address) from(a address) address { return b.add(-a.last(), a.stride, a.count) }

// mostPositions bounds the relative positions of two objects that are tried.
const mostPositions = 4096

// natural reports whether the objects of a and b, at any multiple of stride from each other
// besides, can coexist: one in the other as their types nest, or apart.
//
//	struct dev at 0, its member struct list at 8      natural
//	struct dev at 0, struct file at 0                 not natural, unless one begins with the other
//	struct dev at 0, struct dev at 64 (its size)      natural: two elements of an array
//	struct dev at 0, its struct list l[4] at 8 + 16k  natural, as k < 4
func natural(a, b follow, stride int64) bool { return overlayOf(a, b, stride).natural() }

// natural reports whether the objects of x can coexist as those of the function natural, at each of the distances.
func (x overlay) natural() bool {
	// 1. At a fixed distance.
	fits := func(d int64) bool {
		return d >= x.a.End() || -d >= x.b.End() || x.a.Holds(d, x.b) || x.b.Holds(-d, x.a)
	}
	step := x.at.stride
	if step == 0 {
		return fits(x.at.off)
	}
	// 2. At each of the distances that overlap, from the first to the last. Along an array without an end they repeat.
	least, most := -int64(core.OpenEnd), int64(core.OpenEnd)
	if x.at.isBounded() {
		least, most = x.at.off, x.at.last()
	}
	aEnd, bEnd := endFor(x.a, least, step), endFor(x.b, -most, step)
	first, last := max(mod(x.at.off+bEnd, step)-bEnd, least), min(aEnd-1, most)
	if (last-first)/step > mostPositions {
		return false
	}
	for d := first; d <= last; d += step {
		if !fits(d) {
			return false
		}
	}
	return true
}

// endFor returns the number of bytes from the start of an object of shape s after which places at multiples of step, from first on,
// repeat nearer ones: its size, and in an array without an end the elements until one begins at a multiple of step again.
func endFor(s core.Shape, first, step int64) int64 {
	if s.End() < core.OpenEnd {
		return s.End()
	}
	period := step
	for _, m := range s.Record.Members {
		if m.Count >= core.OpenEnd {
			period = min(period/gcd(period, m.Size)*m.Size, core.OpenEnd)
		}
	}
	return min(max(s.Size, first)+period, core.OpenEnd)
}

// mayOverlap reports whether the objects of x may share a byte.
func (x overlay) mayOverlap() bool {
	return whole(x.a.End() * 8).overlaps(x.at.cell(0, x.b.End()*8))
}

// merge lets the objects of x lie so, and reports whether that is new. Answers that were given before may be wrong
// then, and are forgotten.
func (s *shapes) merge(x overlay) bool {
	// Characters stand for texts, which begin there.
	if x.a == characters.shape || x.b == characters.shape {
		x.at = x.at.anywhere()
	}
	// 1. The distance is known already.
	i := slices.IndexFunc(s.merged, func(m laid) bool { return m.a == x.a && m.b == x.b })
	if i < 0 {
		i = len(s.merged)
		s.merged = append(s.merged, laid{a: x.a, b: x.b})
	}
	m := &s.merged[i]
	if includes(m.at, x.at) {
		return false
	}
	// 2. Add it.
	m.at = few(append(m.at, x.at))
	s.distant = map[pair][]address{}
	return true
}

// includes reports whether a is among the addresses of list.
func includes(list []address, a address) bool {
	return slices.ContainsFunc(list, func(b address) bool { return a == b || a.within(b) })
}

// few returns list, or one address that includes all of it if they are many.
func few(list []address) []address {
	if len(list) <= mostDistances {
		return list
	}
	all := list[0]
	for _, a := range list[1:] {
		all = all.merge(a)
	}
	return []address{all}
}

// distances lists the distances, from the start of an object of shape a, at which one of shape b may begin so that
// they overlap although neither is in the other: as the program lays them, or objects that they hold or are in; or at
// any, if they are in members of a union. If the object of shape b is complete, a variable, it is no part of another one,
// nor of a union: objects that share bytes with it by a union are in the variable.
func (s *shapes) distances(a, b core.Shape, complete bool) []address {
	key := pair{a, b, complete}
	list, known := s.distant[key]
	if known {
		return list
	}
	if !complete && (s.inUnion(a, b) || s.inUnion(b, a)) {
		list = []address{address{}.anywhere()}
	} else {
		for _, m := range s.merged {
			for _, d := range m.at {
				list = s.compose(list, a, overlay{m.a, m.b, d}, b, complete)
				list = s.compose(list, a, overlay{m.b, m.a, address{}.from(d)}, b, complete)
			}
		}
	}
	s.distant[key] = list
	return list
}

// compose adds to list the distances of b from a if both are where the objects of m are, as parts of them or around
// them.
func (s *shapes) compose(list []address, a core.Shape, m overlay, b core.Shape, complete bool) []address {
	if complete && m.b.Size > b.Size {
		return list
	}
	for _, x := range s.starts(a, m.a, false) {
		for _, y := range s.starts(b, m.b, complete) {
			d := m.at.add(y.off, y.stride, y.count).from(x)
			if (overlay{a, b, d}).mayOverlap() && !includes(list, d) {
				list = few(append(list, d))
			}
		}
	}
	return list
}

// starts lists the places, from the start of an object of shape m, at which one of shape a may begin that is a part of
// it, or that it is a part of; if it is complete, it is in no union with the other one. A scalar is a part only: that the
// program takes a struct for an array of numbers, to test its bits, makes no other struct that has a number a part of it.
func (s *shapes) starts(a, m core.Shape, complete bool) (list []address) {
	switch {
	case a.Is(m):
		return []address{{}}
	case m.Record == nil || !s.related(a, m):
		return nil
	case !complete && (s.inUnion(a, m) || s.inUnion(m, a)):
		return []address{address{}.anywhere()}
	case a.Record == nil:
		return s.scalars(m.Record, a)
	}
	// One in the other.
	list = slices.Clone(s.placements(m.Record, a.Record))
	for _, x := range s.placements(a.Record, m.Record) {
		list = append(list, address{}.from(x))
	}
	return list
}

// scalars lists the places in an object of type r at which a scalar of shape x may begin.
func (s *shapes) scalars(r *core.Record, x core.Shape) []address {
	key := core.Shape{Record: r, Size: x.Size, Tag: x.Tag}
	list, known := s.numbers[key]
	if !known {
		eachScalar(r, func(at address, y core.Shape) {
			if y.Is(x) && !includes(list, at) {
				list = few(append(list, at))
			}
		})
		s.numbers[key] = list
	}
	return list
}

// areLaid reports whether a and b, places outside of the program, may share a bit in objects of which neither is in
// the other; of b that is a complete object if complete.
func (s *shapes) areLaid(a, b typed, complete bool) bool {
	return slices.ContainsFunc(s.distances(a.shape, b.shape, complete), func(d address) bool { return a.cell.overlaps(b.cell.shift(d)) })
}

// mayMix reports whether objects of the shapes a and b may share bytes although neither is in the
// other: as parts of members of a union, or since the program uses one as the other.
func (s *shapes) mayMix(a, b core.Shape) bool { return len(s.distances(a, b, false)) > 0 }

// mayLie reports whether the objects of a and b, at a fixed place, may overlap although neither is in the other; that
// of a is complete if complete.
func (s *shapes) mayLie(a, b follow, complete bool) bool {
	return slices.ContainsFunc(s.distances(b.shape, a.shape, complete), func(d address) bool {
		return includes([]address{a.at.from(d)}, b.at)
	})
}

// coexist reports whether the objects of a and b, follows of one value that may be displaced by any multiple of stride,
// are as their types nest, apart, or as the program lays them anyway.
func (f *follows) coexist(a, b follow, stride int64) bool {
	if natural(a, b, stride) {
		return true
	}
	x := overlayOf(a, b, stride)
	return slices.ContainsFunc(f.shapes.merged, func(m laid) bool {
		return m.a == x.a && m.b == x.b && includes(m.at, x.at) ||
			m.a == x.b && m.b == x.a && includes(m.at, address{}.from(x.at))
	})
}
