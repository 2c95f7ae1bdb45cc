package temporal

import (
	"slices"

	"c2bp/internal/graph"
)

// This file finds repeated heads in the head-reachability graph (Esparza et al. 2000, §3; Schwoon 2002, §3.2).
// An edge leads from a head to another one that a run reaches from it with nothing removed below: by a move, or
// by a call with its return. A run that violates the formula exists if and only if a component of this graph has
// an edge with an accepting move.

// edge is an edge of the graph.
type edge struct {
	to     int32
	arc    int32 // the move of the head
	exit   int32 // the exit of the call that the move begins, if the edge leads to where it returns; else -1
	accept bool
}

// edges returns the edges of a head. It uses memory.
func (s *saturation) edges(h int32, memory []edge) []edge {
	out := memory[:0]
	for k, a := range s.heads[h].arcs {
		if a.top || a.n == 0 {
			continue
		}
		to, ok := s.index[head{a.to, a.word[0]}]
		if !ok {
			continue // beyond the limit of heads
		}
		out = append(out, edge{to, int32(k), -1, a.accept})
		if a.n == 1 {
			continue
		}
		// Where the call returns.
		for _, x := range s.middles[s.heads[to].middle].exits {
			if back, ok := s.index[head{s.list[x].p, a.word[1]}]; ok {
				out = append(out, edge{back, int32(k), x, a.accept || s.list[x].accept})
			}
		}
	}
	return out
}

// repeated returns a head and an edge of it with an accepting move in the same component; ok is false if there
// is none. It prefers a head that was reached early.
func (s *saturation) repeated() (h int32, e edge, of []int32, ok bool) {
	// 1. The components.
	var memory []edge
	all := make([]int32, len(s.heads))
	for i := range all {
		all[i] = int32(i)
	}
	components := graph.Components(len(s.heads), all, func(h int32) []int32 {
		memory = s.edges(h, memory)
		next := make([]int32, len(memory))
		for i, e := range memory {
			next[i] = e.to
		}
		return next
	})
	of = make([]int32, len(s.heads))
	for c, list := range components {
		for _, h := range list {
			of[h] = int32(c)
		}
	}
	// 2. An accepting edge inside of one.
	for h := range s.heads {
		memory = s.edges(int32(h), memory)
		for _, e := range memory {
			if e.accept && of[e.to] == of[h] {
				return int32(h), e, of, true
			}
		}
	}
	return 0, edge{}, of, false
}

// pathWithin returns the edges of a shortest path from one head to another inside of their component.
func (s *saturation) pathWithin(of []int32, from, to int32) []taken {
	type visit struct {
		taken
		prev int32
	}
	back := map[int32]visit{from: {prev: -1}}
	queue := []int32{from}
	for len(queue) > 0 {
		h := queue[0]
		queue = queue[1:]
		if h == to {
			break
		}
		for _, e := range s.edges(h, nil) {
			if _, seen := back[e.to]; !seen && of[e.to] == of[from] {
				back[e.to] = visit{taken{h, e}, h}
				queue = append(queue, e.to)
			}
		}
	}
	var path []taken
	for h := to; h != from; h = back[h].prev {
		path = append(path, back[h].taken)
	}
	slices.Reverse(path)
	return path
}

// taken is an edge that a run takes, with the head from which it leads.
type taken struct {
	from int32
	edge
}
