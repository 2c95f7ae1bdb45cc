package trace

import (
	"slices"

	"c2bp/checker/bdd"
	"c2bp/checker/symbolic"
)

// This file defines the second pass: it partitions the path edges into trace layers (BFS rings) by
// the length of the shortest hierarchical trajectory (Ball–Rajamani 2000, §3.2), breadth first. All
// summary edges are known by now; each counts one step.
//
// With Options.FewRounds only steps back to a loop head and into a call count. There are then few
// rings, no larger than the path edges, since they do not distinguish states by the number of steps.
// Within a ring, nodes are served in the weak topological order, in which every other step leads
// forwards; see looprounds.go.

// rings are the path edges of some nodes, by distance from a start.
type rings struct {
	s     *Finder
	first int   // the lowest node number
	limit int64 // increments of summaries with lower numbers may be used; see use
	enter bool  // calls may be entered; otherwise the rings stay in one procedure

	start int     // number of the start node
	place []int32 // by node number - first: index in met, 0 if the node was not met
	met   []met   // the first one stands for all nodes that were not met
	front []int   // nodes of the last ring, in rising order
	spare []int   // memory for the next ring
	dist  int     // distance of the last ring

	goals []goal                                // of the search under way
	used  map[*symbolic.CallSite]*symbolic.Edge // summary edges under the limit
	room  room                                  // memory for the path that is read off
	from  valuation                             // memory for leads
}

// met is a node that was met.
type met struct {
	seen bdd.Ref // union of its rings
	by   []ring  // its rings, by rising distance
}

// ring is the path edges of a node at one distance.
type ring struct {
	dist int32
	set  bdd.Ref
}

// noLimit allows all summaries.
const noLimit = int64(1<<63 - 1)

// newRings starts a search over the nodes with numbers from first to before end. It reuses the
// memory of s.spare if there is any.
func (s *Finder) newRings(first, end, start int, set bdd.Ref, limit int64) *rings {
	old := s.spare
	if old == nil {
		old = &rings{used: map[*symbolic.CallSite]*symbolic.Edge{}}
	}
	s.spare = nil
	// Everything but the memory is reset.
	r := old
	*r = rings{
		s: s, first: first, limit: limit, enter: limit == noLimit, start: start,
		place: old.place, met: old.met, front: old.front[:0], spare: old.spare[:0],
		goals: old.goals[:0], used: old.used, room: old.room, from: old.from,
	}
	if s.opts.FewRounds {
		r.dist = -1 // the ring at distance 0 is not complete yet
	}
	r.allot(end - first)
	r.add(start, 0, set)
	return r
}

// allot gives r memory for n nodes, its own if that is enough.
func (r *rings) allot(n int) {
	// Memory of an old search is cleared and reused.
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

// node returns the record of a node; the shared first one if it was not met.
func (r *rings) node(id int) *met { return &r.met[r.place[id-r.first]] }

// meet returns the record of a node, which counts as met from now on.
func (r *rings) meet(id int) *met {
	if r.place[id-r.first] == 0 {
		// Grow reuses records of an old search, whose slices keep their memory.
		n := len(r.met)
		r.met = slices.Grow(r.met, 1)[:n+1]
		r.met[n] = met{by: r.met[n].by[:0]} // the memory may be that of an old search
		r.place[id-r.first] = int32(n)
	}
	return r.node(id)
}

// programRings returns the rings of the whole program, from the entry of main. They are computed
// once and extended on demand.
func (s *Finder) programRings() *rings {
	if s.whole == nil {
		main := s.Procs[s.Graph.Main.Index]
		s.whole = s.newRings(0, len(s.Schedule.Rank), main.First+main.Graph.Entry, s.m.And(main.Identity, main.Enforce), noLimit)
	}
	return s.whole
}

// at returns the ring of a node at a distance, by binary search.
func (r *rings) at(id, dist int) bdd.Ref {
	list := r.node(id).by
	// Distances rise, and a node is in few rings.
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

// add adds the new states of set to the ring of a node at distance dist, the last or the next one.
func (r *rings) add(id, dist int, set bdd.Ref) {
	// States that are in an earlier ring are not new.
	m := r.s.m
	fresh := m.Diff(set, r.node(id).seen)
	if fresh == bdd.False {
		return
	}
	n := r.meet(id)
	n.seen = m.Or(n.seen, fresh)
	// The node is in this ring already, or joins it.
	if k := len(n.by); k > 0 && int(n.by[k-1].dist) == dist {
		n.by[k-1].set = m.Or(n.by[k-1].set, fresh)
		return
	}
	// The node enters this ring: it is served with the next layer.
	n.by = append(n.by, ring{int32(dist), fresh})
	r.front = append(r.front, id)
}

// layer computes the ring at the next distance. It reports whether it has any nodes.
func (r *rings) layer() bool {
	s := r.s
	if s.opts.FewRounds {
		return r.round()
	}
	// The front becomes the ring to be served; a new front collects the next ring.
	front := r.front
	r.front, r.spare = r.spare[:0], front
	dist := r.dist
	r.dist++
	// Follow the steps from each node of the last ring.
	for _, id := range front {
		s.SafePoint()
		d := r.at(id, dist)
		p := s.ProcOf(id)
		v := id - p.First
		to := func(q *symbolic.Proc, w int, set bdd.Ref) { r.add(q.First+w, dist+1, set) }
		// A call: into the callee, and over it by its summaries.
		if c := p.Calls[v]; c != nil {
			if r.enter {
				to(c.Callee, c.Callee.Graph.Entry, s.Entered(c, d))
			}
			to(p, int(c.Summary.To), s.Image(d, r.use(c)))
			continue
		}
		out := s.Outgoing(p, v)
		for i := range out {
			e := &out[i]
			to(p, int(e.To), s.Image(d, e))
		}
	}
	slices.Sort(r.front)
	return len(r.front) > 0
}

// use returns the summary edge of a call, restricted to increments below the limit.
func (r *rings) use(c *symbolic.CallSite) *symbolic.Edge {
	if r.limit == noLimit {
		return &c.Summary
	}
	e, ok := r.used[c]
	if !ok {
		// Lift the increments that are allowed.
		part := c.Summary
		part.Rel = bdd.False
		for _, inc := range c.Callee.Increments {
			if inc.Number < r.limit {
				part.Rel = r.s.m.Or(part.Rel, r.s.Lift(c, inc.Rel))
			}
		}
		e = &part
		r.used[c] = e
	}
	return e
}

// goal is a node with the path edges that a search looks for there.
type goal struct {
	id  int
	set bdd.Ref
}

// search extends the rings until one of the goals is met. It returns the index of the nearest goal,
// the first one of several, and its distance. It panics with a Violation if no goal is reachable,
// since the solver said that they are.
func (r *rings) search(goals []goal) (best, dist int) {
	r.goals = append(r.goals[:0], goals...)
	// 1. Look in the rings that are there.
	best = -1
	for i, g := range goals {
		for _, x := range r.node(g.id).by {
			if (best < 0 || int(x.dist) < dist) && r.s.m.And(x.set, g.set) != bdd.False {
				best, dist = i, int(x.dist)
			}
		}
	}
	// 2. Extend them.
	for best < 0 {
		if !r.layer() {
			panic(symbolic.Violation("the rings end before a goal that is reachable"))
		}
		for i, g := range goals {
			if r.s.m.And(r.at(g.id, r.dist), g.set) != bdd.False {
				return i, r.dist
			}
		}
	}
	return best, dist
}

// Keep names the diagrams of the rings.
func (r *rings) Keep(keep func(bdd.Ref)) {
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
		keep(e.Rel) // the rest is the call's own summary edge's
	}
}
