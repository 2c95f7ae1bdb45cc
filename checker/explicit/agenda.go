package explicit

import (
	"container/heap"
	"slices"

	"c2bp/checker/zom"
	"c2bp/internal/graph"
)

// This file defines the order in which nodes are served: root by root, and within a root so that
// all paths to an instruction are explored before the search leaves it, one loop round after the
// other. States that come together there can then be merged (merge.go).

// agenda is a heap of the pending nodes of a root. Some of them may no longer be pending.
type agenda struct {
	list  []task
	depth bool // the latest node first
}

// task is a node with its position in the order.
type task struct {
	round, rank int32
	node        int32
}

func (a *agenda) Len() int { return len(a.list) }

func (a *agenda) Less(i, j int) bool {
	x, y := a.list[i], a.list[j]
	switch {
	case a.depth:
		return x.node > y.node
	case x.round != y.round:
		return x.round < y.round
	case x.rank != y.rank:
		return x.rank < y.rank
	}
	return x.node < y.node
}

func (a *agenda) Swap(i, j int) { a.list[i], a.list[j] = a.list[j], a.list[i] }
func (a *agenda) Push(x any)    { a.list = append(a.list, x.(task)) }

func (a *agenda) Pop() any {
	last := len(a.list) - 1
	x := a.list[last]
	a.list = a.list[:last]
	return x
}

// schedule adds a node to the agenda of its root, and the root to the queue.
func (g *engine) schedule(id int32) {
	if id == nowhere {
		return
	}
	n := &g.nodes[id]
	r := n.root
	g.merge.at(r, n.pc).waiting++
	r.work.depth = g.opts.depthFirst
	heap.Push(&r.work, task{n.round, g.ranks[r.proc][n.pc], id})
	if !r.queued {
		r.queued = true
		g.queue = append(g.queue, r)
	}
}

// turnOf serves the next node of a root, which is the first in the queue.
func (g *engine) turnOf(r *root) {
	if len(r.work.list) == 0 {
		r.queued = false
		g.queue = g.queue[1:]
		return
	}
	id := heap.Pop(&r.work).(task).node
	n := &g.nodes[id]
	g.merge.at(n.root, n.pc).waiting--
	// A node that was merged, or is a state of a more general node by now, is not served.
	switch {
	case n.status != pending:
	case g.coveredSince(id):
		n.status = merged
	default:
		n.status = done
		g.turn(id)
	}
}

// ranks numbers the instructions of a procedure in reverse postorder, then-branches before
// else-branches; 0 if the entry does not reach it.
func ranks(p *zom.Proc) []int32 {
	// The last successor comes first in the search, and so last in the order.
	succ := func(pc int32) []int32 {
		list := slices.Clone(p.Code[pc].Next(pc))
		slices.Reverse(list)
		return list
	}
	out := make([]int32, len(p.Code))
	order := graph.ReversePostorder(len(p.Code), p.Entry, succ)
	for i, pc := range order {
		out[pc] = int32(len(p.Code) - len(order) + i)
	}
	return out
}
