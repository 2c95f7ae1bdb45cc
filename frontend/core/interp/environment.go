package interp

// This file makes memory that the program did not make: the objects that pointers from outside
// point to, when they are first asked for (lazy initialisation, Khurshid–Păsăreanu–Visser 2003).
//
// The size of such an object, and the place in it that the pointer points to, is unknown before the
// run has followed the pointer: the list that container_of finds may begin before it. So each gets
// so much room on both sides that no program leaves it by a defined step, and the part that a run
// has used is its size (package harness).

// Fresh makes an object of the environment and returns an address in it, for an answer: a multiple
// of 4,096, or of 256 where addresses have 32 bits. Its contents are arbitrary, and its address is
// known outside. ok is false if the program has no pointers, if there is no room for more, or if
// the value does not come from outside.
func (r *Request) Fresh() (addr int64, ok bool) {
	m := r.machine
	if m == nil || !m.pointers || r.Indeterminate || r.Type.Bits < m.pointer.Bits || m.full() {
		return 0, false
	}
	// Objects of the environment have one size, and lie one after the other.
	size := m.envBelow + m.envAbove
	start := m.envFirst + uint64(m.envs)*(size+m.gap)
	// Where addresses have 32 bits, there is room for a few thousand.
	if start+size > m.envEnd {
		return 0, false
	}
	m.envs++
	o := &Object{depth: -1, environment: m.envs}
	b := m.embody(o)
	b.sparse = m.newSparse()
	m.add(o, start, int64(size), outside)
	b.lowest = o.Home()
	m.know(o)
	return int64(o.Home()), true
}

// Environment returns the number of objects of the environment so far.
func (r *Request) Environment() int {
	if r.machine == nil {
		return 0
	}
	return r.machine.envs
}

// Environment reports whether the object was made for a pointer from outside.
func (o *Object) Environment() bool { return o.environment > 0 }

// Environmental returns the number of an object of the environment, from 1 on, in the order in
// which they were made; 0 for other objects.
func (o *Object) Environmental() int { return o.environment }

// use notes that the run uses the address a in o, an object of the environment.
func (m *Machine) use(o *Object, a uint64) {
	if a < m.body(o).lowest {
		m.change(o).lowest = a
	}
}

// allocatedAt reports whether a is an address that an allocator may have returned for o. Outside of
// the program, too, objects are allocated, to be freed by it: such an object begins where it is
// freed, if nothing before that address was used.
func (m *Machine) allocatedAt(o *Object, a uint64) bool {
	if o.Environment() {
		return a <= m.body(o).lowest
	}
	return o.start == a && o.heap()
}

// Home returns the address in an object of the environment that was pointed to first; of another
// object, its first.
func (o *Object) Home() uint64 {
	switch {
	case o.environment == 0:
		return o.start
	// The address tells the layout: with 32 bits, all are below.
	case o.start < layout64.envFirst:
		return o.start + layout32.envBelow
	}
	return o.start + layout64.envBelow
}
