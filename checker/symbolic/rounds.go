package symbolic

import (
	"container/heap"

	"c2bp/checker/bdd"
)

// This file computes rings by rounds: how often a trajectory has gone back to the head of a
// loop, or into a call.

// ranks is a heap of nodes in their weak topological order.
type ranks struct {
	nodes []int
	rank  []int32 // by node
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

func (q *ranks) add(id int) {
	if !q.in[id] {
		q.in[id] = true
		heap.Push(q, id)
	}
}

// forwards reports whether a step from one node to another is one within a round.
func (r *rings) forwards(from, to int) bool {
	return r.s.work.rank[from] < r.s.work.rank[to] && !r.s.avoids(to)
}

// avoids reports whether traces come to a node only where they must.
func (s *Solution) avoids(id int) bool { return s.avoid != nil && s.avoid[id] }

// avoided lists by node number what Options.Avoid says; nil if it is of no node.
func (s *Solution) avoided() (list []bool) {
	if s.opts.Avoid == nil {
		return nil
	}
	for _, p := range s.procs {
		for v, n := range p.graph.Nodes {
			if n.Stmt != nil && s.opts.Avoid(n.Step(p.graph.Proc.Name, 0).Node) {
				if list == nil {
					list = make([]bool, len(s.path))
				}
				list[p.first+v] = true
			}
		}
	}
	return list
}

// round completes the ring at the next distance: from what steps back have brought there,
// forwards. Every node is served once, since all that leads forwards to it has been.
func (r *rings) round() bool {
	s := r.s
	seeds := r.front
	r.front, r.spare = r.spare[:0], seeds
	r.dist++
	q := &ranks{rank: s.work.rank, in: map[int]bool{}}
	for _, id := range seeds {
		q.add(id)
	}
	for q.Len() > 0 {
		id := heap.Pop(q).(int)
		s.safePoint()
		d := r.at(id, r.dist)
		p := s.procOf(id)
		v := id - p.first
		to := func(w int, set bdd.Ref) {
			to := p.first + w
			if !r.forwards(id, to) {
				r.add(to, r.dist+1, set)
				return
			}
			next := r.front
			if r.add(to, r.dist, set); len(r.front) > len(next) {
				r.front = next
				q.add(to)
			}
		}
		if c := p.calls[v]; c != nil {
			if r.enter {
				r.add(c.callee.first+c.callee.graph.Entry, r.dist+1, s.entered(c, d))
			}
			to(int(c.summary.to), s.image(d, r.use(c)))
			continue
		}
		out := s.outgoing(p, v)
		for i := range out {
			e := &out[i]
			to(int(e.to), s.image(d, e))
		}
	}
	return len(seeds) > 0
}

// distBefore is the distance at which the step from node u to node v, at dist, starts.
func (r *rings) distBefore(u, v, dist int) int {
	if r.s.opts.FewRounds && r.forwards(u, v) {
		return dist
	}
	return dist - 1
}
