package interp

import (
	"slices"

	"c2bp/frontend/core"
)

// This file excludes runs with memory that cannot exist. Objects of C overlap only as their types
// nest: a list head may lie in a device, a device may be the first member of another struct, but no
// network device lies in the middle of a file. The program's own objects have the types that it
// gives them; the contents of memory outside of the program are decided by the choices of a run,
// and where two pointers from outside point into one object, the choices are restricted by this
// rule (Burstall 1972). A single pointer may be followed at any types: the program has said that it
// is both.

// shapeOf returns the object that mem is in, as far as mem shows it, and the offset of mem in it.
func shapeOf(mem *core.Mem) (s core.Shape, off int64) {
	r, off := core.Owner(mem)
	if r == nil {
		return core.Shape{Size: core.Bytes(mem.Typ), Tag: mem.Tag}, 0
	}
	return core.Shape{Record: r, Size: r.Size}, off
}

// shown is an object that accesses have shown in an object outside of the program, and its offset.
type shown struct {
	core.Shape
	at int64
}

// conflicts reports whether an object that lies in o as new says contradicts one that accesses have
// shown there: whether they overlap and neither lies in the other.
//
//	struct dev at 0, of 64 bytes      list_head at 16: lies in it, if dev has one there
//	                                  struct file at 32, of 100 bytes: contradicts
func (m *Machine) conflicts(o *Object, new shown) bool {
	types := m.options.Types
	return slices.ContainsFunc(m.body(o).shown, func(old shown) bool {
		apart := old.at+old.End() <= new.at || new.at+new.End() <= old.at
		nested := apart || old.Holds(new.at-old.at, new.Shape) || new.Holds(old.at-new.at, old.Shape)
		return !nested && (types == nil || !types.MayLie(old.Shape, new.Shape, new.at-old.at))
	})
}

// show notes that an access at off of o, which is outside of the program, shows an object of shape
// s there; it returns false if the run cannot exist.
func (m *Machine) show(o *Object, off int64, s core.Shape) bool {
	if m.isByte(s) {
		return true
	}
	new := shown{s, off}
	b := m.body(o)
	if slices.Contains(b.shown, new) {
		return true
	}
	conflict := m.conflicts(o, new)
	// With one pointer from outside it is the program that takes the object for both.
	if conflict && b.pointers > 1 {
		return false
	}
	// Copies of the machine share the list.
	m.change(o).shown = append(b.shown[:len(b.shown):len(b.shown)], new)
	return true
}

// isByte reports whether an object of shape s may be a part of anything: characters access every object (C11 6.5p7),
// unless it is assumed that those outside are apart.
func (m *Machine) isByte(s core.Shape) bool {
	return s.Record == nil && s.Size == 1 && !m.prog.CharsApart
}

// accessFits is fits for the object that the access c at off of o shows: a byte of a number shows the number, at a multiple of its
// size, where characters are apart.
func (m *Machine) accessFits(o *Object, off int64, c *code) bool {
	if c.partOf > 0 && m.prog.CharsApart {
		return m.fits(o, off-int64((o.start+uint64(off))%uint64(c.partOf)), core.Shape{Size: c.partOf})
	}
	return m.fits(o, off-c.within, c.shape)
}

// fits notes that an access at off of o shows an object of shape s there; it returns false if the
// run cannot exist, because a pointer from outside points to a place of another type.
func (m *Machine) fits(o *Object, off int64, s core.Shape) bool {
	switch {
	case !m.options.Typed:
		return true
	case o.isOutside():
		return m.show(o, off, s)
	case m.body(o).pointers == 0 || m.options.Types == nil || m.isByte(s):
		return true
	}
	// A pointer from outside led into an object of the program.
	return m.options.Types.MayUse(o.v, o.alloc, off, s)
}

// Strays reports whether v, a variable of the top frame, is a pointer to a place where no object of
// its declared target type can lie. A run in which it is followed there cannot exist; one in which
// it only has this value can. The simulation of abstractions asks, since predicates follow pointers
// that the program may only copy.
func (m *Machine) Strays(v *core.Var) bool {
	return v.To != nil && m.StraysAt(core.EvalIn(v.Ref(), m.Top().State()).Uint64(), v.To)
}

// StraysAt reports whether an address is that of a place where no object of type r can lie.
func (m *Machine) StraysAt(x uint64, r *core.Record) bool {
	if !m.options.Typed || r.Size == 0 {
		return false
	}
	o := m.liveAt(x)
	if o == nil || o.proc != nil {
		return false
	}
	off, to := int64(x-o.start), core.Shape{Record: r, Size: r.Size}
	switch {
	// A pointer just after an object cannot be followed.
	case off >= o.size:
		return false
	case o.isOutside():
		return m.body(o).pointers > 0 && m.conflicts(o, shown{to, off})
	}
	return m.options.Types != nil && !m.options.Types.MayUse(o.v, o.alloc, off, to)
}

// Types knows the types of a program's objects.
type Types interface {
	// MayLie reports whether objects outside of the program of two shapes may overlap although neither lies
	// in the other, if that of b begins distance bytes after the start of that of a.
	MayLie(a, b core.Shape, distance int64) bool
	// MayUse reports whether byte off of an object of the program, that of a variable or of an
	// allocation, may be where an object of shape s begins.
	MayUse(v *core.Var, site *core.Alloc, off int64, s core.Shape) bool
	// Hidden returns the bytes that functions without a body do not change in an object of size bytes: that of
	// a variable or of an allocation; or else one of type r outside.
	Hidden(v *core.Var, site *core.Alloc, r *core.Record, size int64) core.Ranges
	// Within returns the bytes of such an object that are in structs of the types in list.
	Within(list []*core.Record, v *core.Var, site *core.Alloc, r *core.Record, size int64) core.Ranges
}

// noteStay notes that b is the place l, if that is a member that is forced to stay (core.Record.Forced): where the program
// uses an object as such a struct, whatever other types it has, and whoever knows the address. From then on functions without
// a body leave it alone: there are fewer runs, and each is one of the program.
func (m *Machine) noteStay(b block, l core.Loc) {
	mem, ok := l.(*core.Mem)
	if !ok {
		return
	}
	r, member := core.OwningMember(mem)
	if r == nil || !r.Forced || !slices.ContainsFunc(r.Kept, func(k core.Member) bool { return k.Off == member.Off && k.Size == b.size }) {
		return
	}
	if m.stays == nil {
		m.stays = map[*Object]core.Ranges{}
	}
	m.stays[b.object] = m.stays[b.object].With(core.Range{Off: b.off, End: b.off + b.size})
}

// changeable returns the parts of b that a function without a body may change.
func (m *Machine) changeable(b block) []block {
	if v := b.object.v; v != nil && v.Kept { // others may still reach what it leads to
		return nil
	}
	limited := m.extern != nil && m.extern.Limited
	if !m.options.Typed || m.options.Types == nil {
		if limited {
			return nil
		}
		return []block{b}
	}
	// 1. The bytes that are hidden from it: by the types of an object of the program, or by those that
	//    accesses have shown in one outside.
	o := b.object
	var hidden core.Ranges
	if !o.isOutside() {
		hidden = m.options.Types.Hidden(o.v, o.alloc, nil, o.size)
	}
	for _, r := range m.stays[o] {
		hidden = hidden.With(r)
	}
	for _, x := range m.body(o).shown {
		if o.isOutside() && x.Record != nil {
			for _, r := range m.options.Types.Hidden(nil, nil, x.Record, x.Size) {
				hidden = hidden.With(core.Range{Off: r.Off + x.at, End: r.End + x.at})
			}
		}
	}
	// 2. Of one that changes certain structs only, all others.
	if limited {
		var within core.Ranges
		if !o.isOutside() {
			within = m.options.Types.Within(m.extern.Changes, o.v, o.alloc, nil, o.size)
		}
		for _, x := range m.body(o).shown {
			if o.isOutside() && x.Record != nil {
				for _, r := range m.options.Types.Within(m.extern.Changes, nil, nil, x.Record, x.Size) {
					within = within.With(core.Range{Off: r.Off + x.at, End: r.End + x.at})
				}
			}
		}
		for _, r := range (core.Ranges{{Off: 0, End: o.size}}).Without(within) {
			hidden = hidden.With(r)
		}
	}
	// 3. Take them away.
	var list []block
	for _, r := range (core.Ranges{{Off: b.off, End: b.off + b.size}}).Without(hidden) {
		list = append(list, block{o, r.Off, r.End - r.Off})
	}
	return list
}

// pointed notes that a pointer from outside got the value v.
func (m *Machine) pointed(r *Request, v int64) {
	if !r.Pointer || !m.options.Typed {
		return
	}
	if o := m.liveAt(uint64(v)); o != nil {
		m.change(o).pointers++
	}
}

// isOutside reports whether o is memory outside of the program.
func (o *Object) isOutside() bool { return o.environment > 0 || o.id == 0 && o.External() }
