package rite

// This file evaluates expressions on heaps: it looks for the paths of an automaton.

// Heap is the heap of a state: objects 0, 1, …, all of which the variables lead to, directly or through
// fields.
type Heap interface {
	Objects() int
	// Variable returns the object to which a variable leads; Nil if there is none.
	Variable(id int) int
	// Field returns the object to which a field of an object leads, perhaps Nil. has is false if objects of its
	// class do not have the field.
	Field(id, object int) (to int, has bool)
	// Flag returns a Boolean: a field of the object or, whatever the object, a variable. has is false if the
	// object does not have it. object is not Nil for a field.
	Flag(id, object int) (val, has bool)
}

// Holds reports whether a heap satisfies the expression.
func (m *Matcher) Holds(h Heap) bool {
	_, all := m.match(h)
	return all
}

// paths are the paths of an automaton on a heap. A point is a state of the automaton at an object; its index is
// state · width + object + 1, Nil being object -1.
type paths struct {
	width int
	next  []int32 // by point: the next one on a shortest path to the end; -1 if there is none, -2 at the end
}

// The next points that are none.
const (
	nowhere  = -1
	finished = -2
)

// starts returns the objects from which a path must start.
func (m *Matcher) starts(h Heap) (from, to int) {
	if m.expr.IsFree() {
		return Nil, Nil + 1
	}
	return 0, h.Objects()
}

// match looks for the paths, and reports whether one starts at each object.
func (m *Matcher) match(h Heap) (*paths, bool) {
	p := &paths{width: h.Objects() + 1, next: make([]int32, len(m.states)*(h.Objects()+1))}
	// 1. The steps between points, backwards.
	before := make([][]int32, len(p.next))
	for s := range m.states {
		for o := Nil; o < h.Objects(); o++ {
			at := int32(p.point(s, o))
			p.next[at] = nowhere
			for _, e := range m.states[s] {
				if to, ok := e.expr.from(h, o); ok {
					b := p.point(e.to, to)
					before[b] = append(before[b], at)
				}
			}
		}
	}
	// 2. Those from which the end can be reached, the nearest first.
	var queue []int32
	for o := Nil; o < h.Objects(); o++ {
		at := p.point(m.end, o)
		p.next[at] = finished
		queue = append(queue, int32(at))
	}
	for len(queue) > 0 {
		at := queue[0]
		queue = queue[1:]
		for _, b := range before[at] {
			if p.next[b] == nowhere {
				p.next[b] = at
				queue = append(queue, b)
			}
		}
	}
	// 3. One must be at each object.
	from, to := m.starts(h)
	for o := from; o < to; o++ {
		if p.next[p.point(m.start, o)] == nowhere {
			return p, false
		}
	}
	return p, true
}

// point returns the index of a state at an object.
func (p *paths) point(state, object int) int { return state*p.width + object + 1 }

// from returns the object to which a step leads from an object; ok is false if it leads nowhere.
func (e *Expr) from(h Heap, object int) (to int, ok bool) {
	switch e.Kind {
	case Variable, NotVariable:
		at := Nil
		if e.ID != Nil {
			at = h.Variable(e.ID)
		}
		return object, (at == object) == (e.Kind == Variable)
	case Field:
		if object == Nil {
			return Nil, true
		}
		return h.Field(e.ID, object)
	case Flag, NotFlag:
		if object == Nil && !e.Free {
			return object, false
		}
		val, has := h.Flag(e.ID, object)
		return object, has && val == (e.Kind == Flag)
	}
	return object, true
}
