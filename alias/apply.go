package alias

// This file applies the rules of a vertex to new addresses in it.

// apply applies r to the addresses in set. Loads and stores of the same cells at the same
// addresses, through different vertices, share a vertex (a hub) between the cells and the vertices
// of the rules, so that large sets have their edges once.
func (s *solver) apply(r rule, set setID) {
	few := s.sets.size(set) < fewAddresses || s.plain
	switch r.kind {
	// Loads: from the cells, through the hub, to the other vertex.
	case loadRule:
		if few {
			s.loadAll(r, set, r.other)
		} else if hub, known := s.hub(r, set); known {
			s.edge(hub, r.other)
		} else {
			s.edge(hub, r.other)
			s.loadAll(r, set, hub)
		}
	// Stores: the other way.
	case storeRule:
		if few {
			s.storeAll(r, set, r.other)
		} else if hub, known := s.hub(r, set); known {
			s.edge(r.other, hub)
		} else {
			s.edge(r.other, hub)
			s.storeAll(r, set, hub)
		}
	// Copies: the hub is a buffer.
	case sourceRule, destRule:
		if !few {
			hub, known := s.objectHub(r, set)
			via := r
			via.other = hub
			if !known {
				s.copyAll(via, set)
			}
			s.copyBuffers(r, hub)
			return
		}
		s.copyAll(r, set)
	case moveRule:
		s.moveAll(r, set)
	default:
		for n := range s.sets.all(set) {
			s.applyTo(r, s.addresses[n])
		}
	}
}

// fewAddresses is the number of addresses from which on a hub pays: a hub makes n + m edges of n * m.
const fewAddresses = 3

// hub returns the hub for rules like r and the addresses in set; known is false if it is new. The
// rule's other vertex is left out of the key: it is what the rules differ in.
func (s *solver) hub(r rule, set setID) (n int32, known bool) {
	key := hubKey{set, r}
	key.rule.other = 0
	n, known = s.hubs[key]
	if !known {
		n = s.newVertex()
		s.hubs[key] = n
	}
	return n, known
}

// objectHub returns the hub of a copy, a buffer, as hub does.
func (s *solver) objectHub(r rule, set setID) (object int32, known bool) {
	key := hubKey{set, r}
	key.rule.other = 0
	object, known = s.hubs[key]
	if !known {
		object = s.newBuffer(r.bits)
		s.hubs[key] = object
	}
	return object, known
}

// copyBuffers copies between the buffer of r and hub.
func (s *solver) copyBuffers(r rule, hub int32) {
	// A source is copied from the hub to the buffer of the rule.
	from, to := hub, r.other
	if r.kind == destRule {
		from, to = to, from
	}
	s.copyBetween(address{object: to}, address{object: from}, r.bits, r.record)
}

// copyAll copies between the buffer of r and the cells of r at the addresses in set.
func (s *solver) copyAll(r rule, set setID) {
	for n := range s.sets.all(set) {
		a := s.addresses[n]
		a = r.move(a, s.objects[a.object])
		if r.kind == sourceRule {
			s.copyBetween(address{object: r.other}, a, r.bits, r.record)
		} else {
			s.copyBetween(a, address{object: r.other}, r.bits, r.record)
		}
	}
}

// hubKey identifies a hub; the rule has no other vertex.
type hubKey struct {
	set  setID
	rule rule
}

// loadAll lets the contents of the cells of r at the addresses in set flow to vertex to.
func (s *solver) loadAll(r rule, set setID, to int32) {
	for n := range s.sets.all(set) {
		a := s.addresses[n]
		// What is read outside depends on the load; numbers and procedures hold nothing.
		if o := s.objects[a.object]; o.Kind == Outside {
			s.insert(r.from, to)
		} else if o.isMemory() {
			s.load(a.object, r.cell(a, o), to)
		}
	}
}

// storeAll lets vertex from flow to the cells of r at the addresses in set.
func (s *solver) storeAll(r rule, set setID, from int32) {
	for n := range s.sets.all(set) {
		a := s.addresses[n]
		if o := s.objects[a.object]; o.Kind == Outside {
			s.edge(from, s.escaped)
		} else if o.isMemory() {
			s.keep(a.object, r.cell(a, o), from)
		}
	}
}

// moveAll adds the addresses in set, displaced by r, to r.other. Many offsets in one object are
// merged into a stride (spread).
func (s *solver) moveAll(r rule, set setID) {
	m := move{mode: moveMode(r.bit), off: r.off, stride: r.stride, count: r.count}
	// A move that keeps offsets makes no new ones, so that nothing needs to be merged.
	if m.off == 0 && m.stride == 0 {
		s.pour(s.moveSet(set, m), s.find(r.other))
		return
	}
	var list []int32
	for n := range s.sets.all(s.moveSet(set, m)) {
		list = append(list, s.number(s.spread(int32(r.bits), s.addresses[n])))
	}
	s.pour(s.sets.internAny(list), s.find(r.other))
}

// moveSet returns the addresses in set, displaced. Results are memoized, as many vertices hold the
// same set.
func (s *solver) moveSet(set setID, m move) setID {
	// 1. Look the result up.
	key := movedSet{set, m}
	out, known := s.movedSets[key]
	if known || set == 0 {
		return out
	}
	var list []int32
	// 2. Displace each address; arithmetic may also make a number of it.
	for n := range s.sets.all(set) {
		a := s.addresses[n]
		if b, ok := m.apply(a, s.objects[a.object]); ok {
			list = append(list, s.number(b))
		}
		if m.scrambles(s.objects[a.object]) {
			list = append(list, numberAddress)
		}
	}
	out = s.sets.internAny(list)
	s.movedSets[key] = out
	return out
}

// movedSet identifies a result of moveSet.
type movedSet struct {
	set  setID
	move move
}

// applyTo applies a rule of one of the other kinds to address a.
func (s *solver) applyTo(r rule, a address) {
	switch r.kind {
	case escapeRule:
		s.escape(a.object)
	case callRule:
		s.bindTarget(s.calls[r.other], a.object)
	case exposeRule:
		s.exposeAt(a)
	case guessRule:
		s.guessed(a, r.other, r.bit)
	case compareRule:
		if a.object == guessObject {
			s.exposeAll(r.other)
		}
	}
}

// cell returns the cell of r relative to address a in o.
func (r rule) cell(a address, o *Object) cell {
	return r.move(a, o).cell(r.bit, r.bits)
}

// move returns the address of r relative to a in o.
func (r rule) move(a address, o *Object) address {
	m := move{off: r.off, stride: r.stride, count: r.count}
	if m.count > 0 {
		m.mode = moveElement
	}
	a, _ = m.apply(a, o)
	return a
}
