package interp

// This file lets pointers leave their objects for a while, in programs that are compiled so that addresses are computed
// as numbers are (core.Program.Strays). C gives a pointer no meaning there (C11 6.5.6p8), but every walk over a list of
// Linux computes one: at the end of the list there is only its head, which is in no struct item.
//
//	struct list head;                          the pointer item is
//	item = container_of(head.next, …)          outside: 16 bytes before head
//	while (&item->link != &head) …             moved back to head
//
// Such a pointer belongs to the object that it has left, and comes back into that object or is not followed: an access
// there is undefined as before. Objects lie so far apart that each address near one is near no other.

// strays reports whether a pointer may be moved from the address x to the address to, one of which is outside of the
// object that the other is in or just after.
func (m *Machine) strays(x, to uint64) bool {
	if !m.prog.Strays {
		return false
	}
	// 1. One of them is in an object, and the other one near it: what is outside cannot be moved further away.
	in, out := m.liveAt(x), to
	if in == nil {
		in, out = m.liveAt(to), x
	}
	if in == nil || in.proc != nil || m.Object(out) != nil || !m.near(in, out) {
		return false
	}
	// 2. If objects had other numbers, so would such a pointer, which is not known as an address.
	if m.options.Renamed && !in.stays() {
		m.depend()
	}
	return true
}

// near reports whether the address a, which is in no object, is nearer to o than to any other object: these are a gap
// away from it.
func (m *Machine) near(o *Object, a uint64) bool {
	return o.start-a < m.gap/2 || a-(o.start+uint64(o.size)) < m.gap/2
}
