package conform

import "slices"

// This file finds states from which hidden steps never end.

// Divergence is a run to a cycle of hidden steps.
type Divergence struct {
	Run   []Step // from the initial state to a state of the cycle, a shortest one among explored states
	Cycle []Step // hidden steps from this state back to it
}

// visit is a state whose hidden steps are being followed.
type visit struct {
	state int32
	next  int // the step to be followed next
}

// diverges returns a divergence among the explored states, nil if there is none. The steps of states that are not
// explored are not looked at.
func (g *graph) diverges() *Divergence {
	const (
		unseen = iota
		open   // on the path
		closed // followed to the end: no cycle
	)
	seen := make([]uint8, len(g.nodes))
	var path []visit
	enter := func(s int32) {
		seen[s] = open
		path = append(path, visit{state: s})
	}
	for s := range g.nodes {
		if seen[s] != unseen || !g.explored(int32(s)) {
			continue
		}
		enter(int32(s))
		for len(path) > 0 {
			v := &path[len(path)-1]
			edges := g.edges[g.nodes[v.state].from:g.nodes[v.state].to]
			if v.next == len(edges) {
				seen[v.state] = closed
				path = path[:len(path)-1]
				continue
			}
			e := edges[v.next]
			v.next++
			switch {
			case e.action != Hidden || e.to == Nowhere || !g.explored(e.to):
			case seen[e.to] == open:
				return &Divergence{Run: g.runTo(e.to), Cycle: cycle(path, e.to)}
			case seen[e.to] == unseen:
				enter(e.to)
			}
		}
	}
	return nil
}

// cycle returns the steps of a path from a state on it to its end, and back.
func cycle(path []visit, to int32) (list []Step) {
	i := slices.IndexFunc(path, func(v visit) bool { return v.state == to })
	for _, v := range path[i+1:] {
		list = append(list, Step{Hidden, int(v.state)})
	}
	return append(list, Step{Hidden, int(to)})
}

// runTo returns a shortest run from the initial state to another one, through explored states.
func (g *graph) runTo(to int32) (list []Step) {
	first := int32(g.sys.Initial())
	type way struct {
		from   int32
		action Action
	}
	ways := map[int32]way{first: {none, Hidden}}
	// 1. Breadth first, up to the state.
	for queue := []int32{first}; len(queue) > 0; queue = queue[1:] {
		if _, found := ways[to]; found {
			break
		}
		s := queue[0]
		if !g.explored(s) {
			continue
		}
		for _, e := range g.edges[g.nodes[s].from:g.nodes[s].to] {
			if _, known := ways[e.to]; !known && e.to != Nowhere {
				ways[e.to] = way{s, e.action}
				queue = append(queue, e.to)
			}
		}
	}
	// 2. And back.
	for s := to; ways[s].from != none; s = ways[s].from {
		list = append(list, Step{ways[s].action, int(s)})
	}
	slices.Reverse(list)
	return list
}
