package explicit

import (
	"container/heap"

	"c2bp/checker/zom"
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
// else-branches. It keeps its own stack, since procedures may be long.
func ranks(p *zom.Proc) []int32 {
	type visit struct {
		pc   int32
		next int
	}
	out := make([]int32, len(p.Code))
	seen := make([]bool, len(p.Code))
	last := int32(len(p.Code))
	stack := []visit{{pc: p.Entry}}
	seen[p.Entry] = true
	for len(stack) > 0 {
		// A node whose successors are all visited gets the next rank from the end.
		v := &stack[len(stack)-1]
		succ := p.Code[v.pc].Next(v.pc)
		// All successors are numbered: they get higher ranks.
		if v.next == len(succ) {
			last--
			out[v.pc] = last
			stack = stack[:len(stack)-1]
			continue
		}
		v.next++
		s := succ[len(succ)-v.next] // the last successor first, so that the first one gets a lower rank
		if !seen[s] {
			seen[s] = true
			stack = append(stack, visit{pc: s})
		}
	}
	return out
}
