package trace

import (
	"container/heap"

	"c2bp/checker/bdd"
)

// This file computes rings by loop rounds: the number of times that a trajectory has gone back to a
// loop head, or into a call.

// ranks is a heap of nodes in weak topological order; add ignores a node that was in it before.
type ranks struct {
	nodes []int
	rank  []int32 // by node number
	in    map[int]bool
}

func (q *ranks) Len() int           { return len(q.nodes) }
func (q *ranks) Less(i, j int) bool { return q.rank[q.nodes[i]] < q.rank[q.nodes[j]] }
func (q *ranks) Swap(i, j int)      { q.nodes[i], q.nodes[j] = q.nodes[j], q.nodes[i] }
func (q *ranks) Push(x any)         { q.nodes = append(q.nodes, x.(int)) }
func (q *ranks) Pop() any {
	x := q.nodes[len(q.nodes)-1]
	q.nodes = q.nodes[:len(q.nodes)-1]
	return x
}

// add adds a node that was never in the heap.
func (q *ranks) add(id int) {
	if !q.in[id] {
		q.in[id] = true
		heap.Push(q, id)
	}
}

// forwards reports whether a step between two nodes stays in its loop round.
func (r *rings) forwards(from, to int) bool {
	return r.s.Schedule.Rank[from] < r.s.Schedule.Rank[to] && !r.s.avoids(to)
}

// avoids reports whether traces come to a node only if they must.
func (s *Finder) avoids(id int) bool { return s.avoid != nil && s.avoid[id] }

// avoided returns, by node number, the nodes that Options.Avoid names; nil if there are none.
func (s *Finder) avoided() (list []bool) {
	// The list is nil as long as no node is avoided.
	if s.opts.Avoid == nil {
		return nil
	}
	for _, p := range s.Procs {
		for v, n := range p.Graph.Nodes {
			if n.Stmt != nil && s.opts.Avoid(n.Step(p.Graph.Proc.Name, 0).Node) {
				if list == nil {
					list = make([]bool, len(s.Schedule.Rank))
				}
				list[p.First+v] = true
			}
		}
	}
	return list
}

// round completes the ring at the next distance: it follows the steps forwards from the nodes that
// steps back have reached. Every node is served once, after all nodes from which a step leads
// forwards to it.
func (r *rings) round() bool {
	s := r.s
	// 1. The nodes that the last steps back have reached start the ring.
	seeds := r.front
	r.front, r.spare = r.spare[:0], seeds
	r.dist++
	q := &ranks{rank: s.Schedule.Rank, in: map[int]bool{}}
	for _, id := range seeds {
		q.add(id)
	}
	// 2. Serve the nodes in weak topological order.
	for q.Len() > 0 {
		id := heap.Pop(q).(int)
		s.SafePoint()
		d := r.at(id, r.dist)
		p := s.ProcOf(id)
		v := id - p.First
		// A step back goes to the next ring, a step forwards stays in this one.
		to := func(w int, set bdd.Ref) {
			to := p.First + w
			if !r.forwards(id, to) {
				r.add(to, r.dist+1, set)
				return
			}
			// add puts a node into front when it joins this ring: take it out again, and serve it.
			next := r.front
			if r.add(to, r.dist, set); len(r.front) > len(next) {
				r.front = next
				q.add(to)
			}
		}
		// A call into the callee starts a round; the step over it need not.
		if c := p.Calls[v]; c != nil {
			if r.enter {
				r.add(c.Callee.First+c.Callee.Graph.Entry, r.dist+1, s.Entered(c, d))
			}
			to(int(c.Summary.To), s.Image(d, r.use(c)))
			continue
		}
		out := s.Outgoing(p, v)
		for i := range out {
			e := &out[i]
			to(int(e.To), s.Image(d, e))
		}
	}
	return len(seeds) > 0
}

// distBefore returns the distance at which a step from node u to node v starts that ends at
// distance dist.
func (r *rings) distBefore(u, v, dist int) int {
	if r.s.opts.FewRounds && r.forwards(u, v) {
		return dist
	}
	return dist - 1
}
