package interp

// This file makes memory that the program did not make: the objects that pointers from outside
// lead to, when they are first asked for (lazy initialisation, Khurshid–Păsăreanu–Visser 2003).
//
// How large such an object is, and where in it the pointer leads, is nobody's to say before the
// run has followed it: the list that container_of finds may begin before it. So each gets so
// much room on both sides that no program leaves it by what it has a right to do, and what a
// run has used of it is its size (package harness).

// Fresh makes an object of the environment and returns an address in it, for an answer: a
// multiple of 4,096. Its contents are arbitrary, and its address is known outside. ok is false
// if the program has no pointers, if there is no room for more, or if the value has not come
// from outside.
func (r *Request) Fresh() (addr int64, ok bool) {
	m := r.machine
	if m == nil || !m.pointers || r.Indeterminate || r.Type.Bits < m.pointer.Bits || m.full() {
		return 0, false
	}
	size := m.envBelow + m.envAbove
	start := m.envFirst + uint64(m.envs)*(size+m.gap)
	if start+size > m.envEnd {
		return 0, false
	}
	m.envs++
	o := &Object{depth: -1, known: true, environment: m.envs, sparse: m.newSparse()}
	m.add(o, start, int64(size), outside)
	o.lowest = o.Home()
	m.known = append(m.known, o)
	return int64(o.Home()), true
}

// Environment is the number of objects of the environment so far.
func (r *Request) Environment() int {
	if r.machine == nil {
		return 0
	}
	return r.machine.envs
}

// Environment reports whether the object is one that a pointer from outside was made to lead
// to.
func (o *Object) Environment() bool { return o.environment > 0 }

// Unset reports whether o has contents that the program reads although nothing sets them.
func (o *Object) Unset() bool { return o.unset }

// Environmental numbers the objects of the environment from 1 on, in the order in which they
// were made.
func (o *Object) Environmental() int { return o.environment }

// reach notes that the run uses the address a in an object of the environment.
func (o *Object) reach(a uint64) { o.lowest = min(o.lowest, a) }

// allocatedAt reports whether a is what an allocator may have returned for o. Outside of the
// program, too, objects are allocated, to be freed by it: such a one begins where it is freed,
// if nothing before that was in it.
func (o *Object) allocatedAt(a uint64) bool {
	if o.Environment() {
		return a <= o.lowest
	}
	return o.start == a && o.heap()
}

// Home is the address in an object of the environment that was pointed to first; of another
// object, its first.
func (o *Object) Home() uint64 {
	switch {
	case o.environment == 0:
		return o.start
	case o.start < layout64.envFirst:
		return o.start + layout32.envBelow
	}
	return o.start + layout64.envBelow
}
