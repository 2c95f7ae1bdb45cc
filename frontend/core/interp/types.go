package interp

import "c2bp/frontend/core"

// This file keeps runs out of memory that cannot be. Objects of C overlap only as their types
// nest: a list head may lie in a device, a device may be the first member of another struct, but
// no network device lies in the middle of a file. What types the program's own objects have, it
// decides; what lies in memory outside of the program the choices of a run decide, and where two
// pointers from outside lead into one object, they may say so only as far as this rule allows
// (Burstall, Some techniques for proving correctness of programs which alter data structures,
// 1972). A pointer alone may be followed at any types: the program has said that it is both.

// shape is the type of an object as an access shows it: a struct or union, or a scalar.
type shape struct {
	record *core.Record // nil for a scalar
	size   int64
}

// holds reports whether an object of shape t may lie at byte off of one of shape s.
func (s shape) holds(off int64, t shape) bool {
	switch {
	case s.record == nil:
		return off == 0 && t.record == nil && s.size == t.size
	case t.record == nil:
		return s.record.HoldsScalar(off, t.size)
	}
	return s.record.Holds(off, t.record)
}

// shapeOf is the object that mem is in, as far as mem shows it, and where mem is in it.
func shapeOf(mem *core.Mem) (s shape, off int64) {
	r, off := core.Owner(mem)
	if r == nil {
		return shape{size: core.Bytes(mem.Typ)}, 0
	}
	return shape{r, r.Size}, off
}

// shown is where in an object outside of the program accesses have shown another.
type shown struct {
	shape
	at int64
}

// show notes that an access at off of o, which is outside of the program, shows an object of
// shape s there; it reports false if the run cannot be.
func (m *Machine) show(o *Object, off int64, s shape) bool {
	if s.record == nil && s.size == 1 {
		return true
	}
	new := shown{s, off}
	conflict := false
	for _, old := range o.shown {
		if old == new {
			return true
		}
		apart := old.at+old.size <= new.at || new.at+new.size <= old.at
		if !apart && !old.holds(new.at-old.at, new.shape) && !new.holds(old.at-new.at, old.shape) {
			conflict = true
		}
	}
	if conflict && o.pointers > 1 {
		return false
	}
	o.shown = append(o.shown[:len(o.shown):len(o.shown)], new)
	return true
}

// pointed notes that a pointer from outside has got the value v.
func (m *Machine) pointed(r *Request, v int64) {
	if !r.Pointer || !m.options.Typed {
		return
	}
	if o := m.liveAt(uint64(v)); o != nil && o.isOutside() {
		o.pointers++
	}
}

// isOutside reports whether o is memory outside of the program.
func (o *Object) isOutside() bool { return o.environment > 0 || o.id == 0 && o.External() }
