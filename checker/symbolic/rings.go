package symbolic

import (
	"slices"

	"c2bp/checker/bdd"
)

// This file defines the second pass: the partition of path edges into rings by the
// length of the shortest hierarchical trajectory (Ball–Rajamani 2000, §3.2), breadth
// first. All summary edges are known by now and count one step.
//
// With Options.FewRounds only steps back to the head of a loop and into a call count.
// The rings are then few, and no larger than the path edges: they do not tell apart by how
// many steps a state is reached. Within a ring, nodes are served in the weak topological
// order, in which every other step leads forwards; see rounds.go.

// rings are the path edges of some nodes, by distance from a start.
type rings struct {
	s     *Solution
	first int   // the lowest node number
	limit int64 // only summaries with lower numbers are used; see use
	enter bool  // calls may be entered; otherwise rings stay in one procedure

	start int     // node number
	place []int32 // by node number - first: index in met, 0 if the node was not met
	met   []met   // the first stands for all nodes that were not met
	front []int   // nodes of the last layer, rising
	spare []int   // memory for the next
	dist  int     // of the last layer

	goals []goal              // of the search under way
	used  map[*callSite]*edge // summary edges under the limit
	room  room                // for the path that is read off
	from  valuation           // for leads
}

// met is a node that was met.
type met struct {
	seen bdd.Ref // all its rings
	by   []ring  // distances rising
}

// ring is the path edges of a node at one distance.
type ring struct {
	dist int32
	set  bdd.Ref
}

// noLimit allows all summaries.
const noLimit = int64(1<<63 - 1)

// newRings starts a search over the nodes that are numbered from first to before end. It
// takes the memory of s.spare if that is there.
func (s *Solution) newRings(first, end, start int, set bdd.Ref, limit int64) *rings {
	old := s.spare
	if old == nil {
		old = &rings{used: map[*callSite]*edge{}}
	}
	s.spare = nil
	r := old
	*r = rings{
		s: s, first: first, limit: limit, enter: limit == noLimit, start: start,
		place: old.place, met: old.met, front: old.front[:0], spare: old.spare[:0],
		goals: old.goals[:0], used: old.used, room: old.room, from: old.from,
	}
	if s.opts.FewRounds {
		r.dist = -1 // not even that at 0 is complete
	}
	r.allot(end - first)
	r.add(start, 0, set)
	return r
}

// allot gives r memory for n nodes, new or what it has.
func (r *rings) allot(n int) {
	if cap(r.place) < n {
		r.place = make([]int32, n)
	}
	r.place = r.place[:n]
	clear(r.place)
	if r.met == nil {
		r.met = make([]met, 1)
	}
	r.met = r.met[:1]
	clear(r.used)
}

// node is what there is of a node.
func (r *rings) node(id int) *met { return &r.met[r.place[id-r.first]] }

// meet is node, and the node is one that was met from now on.
func (r *rings) meet(id int) *met {
	if r.place[id-r.first] == 0 {
		n := len(r.met)
		r.met = slices.Grow(r.met, 1)[:n+1]
		r.met[n] = met{by: r.met[n].by[:0]} // the memory may be that of an old search
		r.place[id-r.first] = int32(n)
	}
	return r.node(id)
}

// programRings are the rings of the whole program, from the entry of main.
func (s *Solution) programRings() *rings {
	if s.whole == nil {
		main := s.procs[s.graph.Main.Index]
		s.whole = s.newRings(0, len(s.path), main.first+main.graph.Entry, s.m.And(main.identity, main.enforce), noLimit)
	}
	return s.whole
}

// at is the ring of a node at a distance.
func (r *rings) at(id, dist int) bdd.Ref {
	list := r.node(id).by
	low, high := 0, len(list)
	for low < high {
		mid := (low + high) / 2
		switch d := int(list[mid].dist); {
		case d == dist:
			return list[mid].set
		case d < dist:
			low = mid + 1
		default:
			high = mid
		}
	}
	return bdd.False
}

// add puts what is new of a set into the ring of a node.
func (r *rings) add(id, dist int, set bdd.Ref) {
	m := r.s.m
	fresh := m.Diff(set, r.node(id).seen)
	if fresh == bdd.False {
		return
	}
	n := r.meet(id)
	n.seen = m.Or(n.seen, fresh)
	if k := len(n.by); k > 0 && int(n.by[k-1].dist) == dist {
		n.by[k-1].set = m.Or(n.by[k-1].set, fresh)
		return
	}
	n.by = append(n.by, ring{int32(dist), fresh})
	r.front = append(r.front, id)
}

// layer computes the rings at the next distance; it reports whether there are any.
func (r *rings) layer() bool {
	s := r.s
	if s.opts.FewRounds {
		return r.round()
	}
	front := r.front
	r.front, r.spare = r.spare[:0], front
	dist := r.dist
	r.dist++
	for _, id := range front {
		s.safePoint()
		d := r.at(id, dist)
		p := s.procOf(id)
		v := id - p.first
		to := func(q *proc, w int, set bdd.Ref) { r.add(q.first+w, dist+1, set) }
		if c := p.calls[v]; c != nil {
			if r.enter {
				to(c.callee, c.callee.graph.Entry, s.entered(c, d))
			}
			to(p, int(c.summary.to), s.image(d, r.use(c)))
			continue
		}
		out := s.outgoing(p, v)
		for i := range out {
			e := &out[i]
			if s.opts.mutation == halfRings && i > 0 && dist%2 == 0 {
				continue
			}
			to(p, int(e.to), s.image(d, e))
		}
	}
	slices.Sort(r.front)
	return len(r.front) > 0
}

// use is the summary edge of a call under the limit.
func (r *rings) use(c *callSite) *edge {
	if r.limit == noLimit {
		return &c.summary
	}
	e, ok := r.used[c]
	if !ok {
		part := c.summary
		part.rel = bdd.False
		for _, inc := range c.callee.increments {
			if inc.number < r.limit {
				part.rel = r.s.m.Or(part.rel, r.s.lift(c, inc.rel))
			}
		}
		e = &part
		r.used[c] = e
	}
	return e
}

// goal is a node with the path edges there that a search looks for.
type goal struct {
	id  int
	set bdd.Ref
}

// search extends the rings until one of the goals is met. It returns the nearest,
// the first in the list if several are, with its distance. A goal that is not
// reachable is a broken invariant: the solver said it is.
func (r *rings) search(goals []goal) (best, dist int) {
	r.goals = append(r.goals[:0], goals...)
	best = -1
	for i, g := range goals {
		for _, x := range r.node(g.id).by {
			if (best < 0 || int(x.dist) < dist) && r.s.m.And(x.set, g.set) != bdd.False {
				best, dist = i, int(x.dist)
			}
		}
	}
	for best < 0 {
		if !r.layer() {
			panic(broken("the rings end before a goal that is reachable"))
		}
		for i, g := range goals {
			if r.s.m.And(r.at(g.id, r.dist), g.set) != bdd.False {
				return i, r.dist
			}
		}
	}
	return best, dist
}

func (r *rings) keep(keep func(bdd.Ref)) {
	for _, n := range r.met {
		keep(n.seen)
		for _, x := range n.by {
			keep(x.set)
		}
	}
	for _, g := range r.goals {
		keep(g.set)
	}
	for _, e := range r.used {
		keep(e.rel) // the rest is the call's own summary edge's
	}
}
