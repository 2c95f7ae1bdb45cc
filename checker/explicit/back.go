package explicit

import (
	"bytes"
	"fmt"
	"maps"
	"slices"

	"c2bp/checker/zom"
)

// This file finds the path on which a node was reached. It goes back from the node, with the values
// that unknown globals must have further on: they tell from which part of a merged node a run
// comes.

// need is the values that globals must have for a run to continue as it does.
type need map[int32]zom.Word

// leg is the part of a trace within one invocation.
type leg struct {
	edge   *edge          // the call; nil for the start of the program
	path   []int32        // the nodes, each reached from the one before
	needs  []need         // the need at each node
	inside map[int32]need // by the node after a call: the need at the callee's return
}

// legsTo returns the path from the start of the program to a node at which want is needed, one leg
// for each invocation.
func (g *engine) legsTo(id int32, want need) []leg {
	var legs []leg
	for {
		l, entry := g.back(id, want)
		l.edge = g.nodes[id].root.witness
		legs = append(legs, l)
		if l.edge == nil {
			slices.Reverse(legs)
			return legs
		}
		// Continue in the caller, at the call.
		id, want = l.edge.node, entry
	}
}

// distance returns the number of nodes on a path to a node, through the first parts of merged
// nodes.
func (g *engine) distance(id int32) (n int) {
	for id != nowhere {
		// Any part will do: the length is an estimate to compare targets.
		id = g.part(id, nil)
		n++
		at := &g.nodes[id]
		if id = at.parent; id == nowhere && at.root.witness != nil {
			id = at.root.witness.node
		}
	}
	return n
}

// back goes back from a node to the entry of its root, and returns the leg and the need at the
// entry.
func (g *engine) back(id int32, want need) (leg, need) {
	l := leg{inside: map[int32]need{}}
	for {
		// 1. Of a merged node, take the part that has the needed value.
		id = g.part(id, want)
		l.path, l.needs = append(l.path, id), append(l.needs, want)
		n := &g.nodes[id]
		// 2. Go back over the step or call that led here, which changes the need.
		switch {
		case n.parent == nowhere:
			slices.Reverse(l.path)
			slices.Reverse(l.needs)
			return l, want
		case n.call != nil:
			want = g.backOverCall(id, want, l.inside)
		default:
			want = g.backOverStep(id, want)
		}
		id = n.parent
	}
}

// part returns the part of a merged node, or of a merged part of it, from which a run with a need
// comes. A node that was not merged is its own part.
func (g *engine) part(id int32, want need) int32 {
	for {
		// Without a need for the global, either part has a run: take the first.
		u, ok := g.merge.unions[id]
		if !ok {
			return id
		}
		id = u.parts[want[u.global]]
	}
}

// backOverStep returns the need before the step that led to a node.
func (g *engine) backOverStep(id int32, want need) need {
	out, there := maps.Clone(want), g.formNow(id)
	// Find an outcome of the step that leads to this node: what it wrote is no longer needed, what
	// it decided is.
	g.each(g.nodes[id].parent, func(o zom.Outcome) bool {
		if o != zom.Stepped || !bytes.Equal(g.form(g.nodes[id].root), there) {
			return true
		}
		for _, w := range g.m.Record.Writes {
			if w.Obj == zom.Null {
				delete(out, w.Index)
			}
		}
		out = g.decided(out)
		return false
	})
	return out
}

// decided adds to a need the values that the latest step chose for unknown globals.
func (g *engine) decided(want need) need {
	for _, d := range g.m.Record.Decided {
		if want == nil {
			want = need{}
		}
		want[d.Global] = d.Value
	}
	return want
}

// each runs the steps of a node, one outcome after the other, until visit returns false.
func (g *engine) each(id int32, visit func(zom.Outcome) bool) {
	g.under = id
	g.now = g.own
	g.load(g.now, id)
	mark := g.now.Mark()
	g.m.Rewind()
	for more := true; more; more = g.m.Next() {
		g.now.Undo(mark)
		g.meetCells(g.now, g.nodes[id].root)
		if !visit(g.m.Run(g.now, 0)) {
			return
		}
	}
}

// backOverCall returns the need at the call that returns to node id. The callee needs at its return
// what it has written; this is noted in inside. An unknown global that it read, and that is unknown
// again at the return, is given a definite value there: one of the paths to the return is shown.
func (g *engine) backOverCall(id int32, want need, inside map[int32]need) need {
	n := &g.nodes[id]
	x, callee := g.at(&g.exit, n.exit), g.nodes[n.exit].root
	// 1. Part the needs: those that the callee wrote, and those that it left alone.
	out, there := need{}, need{}
	for global, v := range want {
		if x.Globals[global] == zom.Absent {
			out[global] = v
		} else {
			there[global] = v
		}
	}
	// 2. Unknown globals in the pattern: the callee may have negated one although it seems
	// unwritten.
	live := g.prog.Procs[callee.proc].Globals[g.nodes[n.exit].pc]
	for _, p := range callee.pattern[:g.readAt[n.exit]] {
		if i := p.at.Index; g.isUnknownGlobal(p) && live.Has(int(i)) && (x.Globals[i] == zom.Absent || x.Globals[i] == zom.Unknown) {
			delete(out, i) // though nothing seems to be written, it may be turned over
			there[i] = want[i]
		}
	}
	// 3. The need at the callee's return decides unknown globals at its entry.
	inside[id] = there
	if callee.readUnknown(g) {
		maps.Copy(out, g.neededAtEntry(n.exit, there))
	}
	return out
}

// readUnknown reports whether the pattern of r has an unknown global.
func (r *root) readUnknown(g *engine) bool { return slices.ContainsFunc(r.pattern, g.isUnknownGlobal) }

// isUnknownGlobal reports whether a read found an unknown Boolean global.
func (g *engine) isUnknownGlobal(p read) bool {
	return !p.at.param && p.at.Obj == zom.Null && p.word == zom.Unknown && g.prog.Globals[p.at.Index].Kind == zom.Bool
}

// neededAtEntry returns the need at the entry of a root for a run that comes to a node with want.
// It is computed once, since many paths share calls.
func (g *engine) neededAtEntry(id int32, want need) need {
	// A node and a need determine the result.
	key := fmt.Sprint(id, want) // maps print in the order of their keys
	if n, ok := g.needs[key]; ok {
		return n
	}
	_, entry := g.back(id, want)
	if g.needs == nil {
		g.needs = map[string]need{}
	}
	g.needs[key] = entry
	return entry
}

// wanted returns the need at a node for the goal to be met at a node of the graph.
func (g *engine) wanted(id int32, goal Goal, at int) (want need) {
	// Run the steps of the node until one meets the goal, and take the values that it chose.
	visited, before := false, g.m.Visited
	g.m.Visited = func(_, node int32) { visited = visited || int(node) == at }
	defer func() { g.m.Visited = before }()
	g.each(id, func(o zom.Outcome) bool {
		met := int(g.m.Record.Node) == at && (goal == Fail && o == zom.Failed || goal == Null && o == zom.NullUsed)
		if !met && !(goal == Reach && visited) {
			visited = false
			return true
		}
		want = g.decided(nil)
		return false
	})
	return want
}
