package conform

import (
	"encoding/binary"
	"slices"
)

// This file keeps the explored part of a system.

// unknownReady and unstable take the place of a ready set of states that are not explored or not stable.
const (
	unknownReady = -2
	unstable     = -1
)

// edge is a step in the memory of a graph.
type edge struct {
	action Action
	to     int32
}

// node is a state: where its edges are, and the number of its ready set.
type node struct {
	from, to uint32
	ready    int32
}

// graph is the explored part of a system.
type graph struct {
	sys   System
	sets  *sets
	nodes []node // by state
	edges []edge
	done  int      // number of states that are explored
	ready []Action // memory for explore
}

// newGraph returns a graph without explored states, whose ready sets are numbered in sets.
func newGraph(sys System, sets *sets) *graph { return &graph{sys: sys, sets: sets} }

// explored reports whether the steps of a state are known.
func (g *graph) explored(s int32) bool {
	return int(s) < len(g.nodes) && g.nodes[s].ready != unknownReady
}

// steps returns the steps of a state, which is explored if it was not before.
func (g *graph) steps(s int32) ([]edge, error) {
	if !g.explored(s) {
		if err := g.explore(s); err != nil {
			return nil, err
		}
	}
	n := g.nodes[s]
	return g.edges[n.from:n.to:n.to], nil
}

// stable returns the number of the ready set of an explored state, and false if it is not stable.
func (g *graph) stable(s int32) (int32, bool) {
	r := g.nodes[s].ready
	return r, r != unstable
}

// explore asks the system for the steps of a state. Equal steps are kept once.
func (g *graph) explore(s int32) error {
	list, err := g.sys.Steps(int(s))
	if err != nil {
		return err
	}
	for len(g.nodes) <= int(s) {
		g.nodes = append(g.nodes, node{ready: unknownReady})
	}
	n := node{from: uint32(len(g.edges))}
	g.ready = g.ready[:0]
	for _, st := range list {
		e := edge{st.Action, int32(st.To)}
		if st.Action == Hidden {
			n.ready = unstable
		} else {
			g.ready = append(g.ready, st.Action)
		}
		if !slices.Contains(g.edges[n.from:], e) {
			g.edges = append(g.edges, e)
		}
	}
	n.to = uint32(len(g.edges))
	if n.ready != unstable {
		n.ready = g.sets.number(g.ready)
	}
	g.nodes[s] = n
	g.done++
	return nil
}

// sets numbers ready sets.
type sets struct {
	lists   [][]Action // sorted
	numbers map[string]int32
	key     []byte
}

// newSets returns a table without sets.
func newSets() *sets { return &sets{numbers: map[string]int32{}} }

// number returns the number of the set with the actions of list, which is sorted in place.
func (t *sets) number(list []Action) int32 {
	slices.Sort(list)
	list = slices.Compact(list)
	t.key = t.key[:0]
	for _, a := range list {
		t.key = binary.AppendUvarint(t.key, uint64(a))
	}
	n, known := t.numbers[string(t.key)]
	if !known {
		n = int32(len(t.lists))
		t.lists = append(t.lists, slices.Clone(list))
		t.numbers[string(t.key)] = n
	}
	return n
}

// within reports whether set a is a subset of set b.
func (t *sets) within(a, b int32) bool {
	if a == b {
		return true
	}
	big := t.lists[b]
	for _, x := range t.lists[a] {
		i, found := slices.BinarySearch(big, x)
		if !found {
			return false
		}
		big = big[i+1:]
	}
	return true
}
