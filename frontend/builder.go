package frontend

import (
	"c2bp/frontend/core"
	"c2bp/source"
)

// This file builds the control-flow graph of one procedure. Statements are emitted in order; open
// ends are edges that lead to the next node. Edges to a label wait until the label is placed.

// An edge whose destination is not known yet: the entry of Succ holds -1 until then.
//
// slot is successor number i of a node.
type slot struct {
	node *core.Node
	i    int
}

// label is a destination of jumps; it may be placed before or after them.
type label struct {
	waiting []slot // edges to the label, until its node is known
	node    int    // index of the first node after it, or -1
	same    *label // set if nothing is between this label and that one
	closed  bool   // no further jumps lead to it
}

// newLabel returns a label that is not placed yet.
func newLabel() *label { return &label{node: -1} }

// resolve returns the label that stands for l, through the chain of same.
func (l *label) resolve() *label {
	for l.same != nil {
		l = l.same
	}
	return l
}

// link makes edges lead to l.
func (l *label) link(slots []slot) {
	if l.node < 0 {
		l.waiting = append(l.waiting, slots...)
		return
	}
	// The node is known.
	for _, s := range slots {
		s.node.Succ[s.i] = l.node
	}
}

// The state between two calls is the set of open ends, and the labels that wait for the next node.
// For if (c) x = 1; y = 2; it is
//
//	0: branch       arm opens its first successor
//	1: assume c     joins it; jumps to the label yes, which waits
//	2: assume !c    joins the second successor of 0; jumps to no
//	3: x := 1       yes is placed in front of it, so 1 leads here; jumps to end
//	4: y := 2       no and end are placed in front of it, so 2 and 3 lead here
//
// builder holds the part of a control-flow graph that was emitted.
type builder struct {
	// Emitted so far. Indices of this slice are the numbers in Succ until finish renumbers them.
	nodes []*core.Node
	open  []slot   // edges that lead to the next node
	here  []*label // labels placed in front of the next node

	// Copied into each node that is emitted, for traces and diagnostics.
	pos   source.Pos // of the current C statement
	text  string
	block string // the blocks around what is being lowered: /1/4/
	first bool   // the next node is the first of its C statement
}

// emit appends a node and joins the open ends to it.
func (b *builder) emit(s core.Stmt) *core.Node {
	n := &core.Node{Stmt: s, Pos: b.pos, Text: b.text, First: b.first, Block: b.block}
	// 1. Join the labels that were placed here, and the open ends.
	for _, l := range b.here {
		l.node = len(b.nodes)
		l.link(l.waiting)
		l.waiting = nil
	}
	for _, s := range b.open {
		s.node.Succ[s.i] = len(b.nodes)
	}
	// 2. The successor of the node is open, unless it ends a path or arm opens its successors.
	b.nodes = append(b.nodes, n)
	b.first, b.here, b.open = false, nil, nil
	switch s.(type) {
	case *core.Return, *core.Branch:
	default:
		n.Succ = []int{-1}
		b.open = []slot{{n, 0}}
	}
	return n
}

// place puts l in front of the next node. Until a node follows, several labels may be at one point.
// If none follows before a jump, they become the same as the label of that jump.
func (b *builder) place(l *label) { b.here = append(b.here, l) }

// jump makes the open ends lead to l; the next node is reached by labels only.
func (b *builder) jump(l *label) {
	l = l.resolve()
	// 1. A loop without any node needs one, for the edge to lead to.
	for _, h := range b.here {
		if h == l {
			b.emit(&core.Skip{})
			break
		}
	}
	// 2. The labels placed here are the same as l: nothing is between.
	for _, h := range b.here {
		l.link(h.waiting)
		h.waiting, h.same = nil, l
	}
	l.link(b.open)
	b.here, b.open = nil, nil
}

// branch emits a Branch; each call of arm starts one of its successors. The node has no successors
// and opens no end: the caller calls arm before it emits anything else.
func (b *builder) branch() *core.Node { return b.emit(&core.Branch{}) }

// arm opens the next successor of branch. The ends that were open must have been closed before, by
// a jump.
func (b *builder) arm(branch *core.Node) {
	branch.Succ = append(branch.Succ, -1)
	b.open = []slot{{branch, len(branch.Succ) - 1}}
}

// reachable reports whether an edge leads from the nodes emitted so far to the next one.
func (b *builder) reachable() bool {
	if len(b.open) > 0 {
		return true
	}
	// Jumps to a label that is placed here.
	for _, l := range b.here {
		if len(l.waiting) > 0 {
			return true
		}
	}
	return false
}

// dead reports whether the next node is never reached: neither from the nodes emitted so far nor by
// a jump that is still to come. Code there may be left out. This is more than that reachable is
// false: reachable looks at the edges that there are, and a label that is not closed may still get
// some.
func (b *builder) dead() bool {
	// A label that is not closed may still get jumps.
	for _, l := range b.here {
		if !l.closed || len(l.waiting) > 0 {
			return false
		}
	}
	return len(b.open) == 0 && len(b.nodes) > 0
}

// finish closes the graph with a Return at exit and returns its nodes without the unreachable ones.
// An edge that never got its destination would be -1 here: each label to which a jump leads must
// have been placed.
func (b *builder) finish(exit *label) []*core.Node {
	b.place(exit)
	b.emit(&core.Return{})
	// 1. Mark the nodes that the first one reaches, by a worklist; the Return always stays.
	last := len(b.nodes) - 1
	index := make([]int, len(b.nodes))
	for i := range index {
		index[i] = -1
	}
	// index is -1 for nodes that were not met; any other value says that one was met.
	index[0], index[last] = 0, 0
	for work := []int{0}; len(work) > 0; {
		i := work[len(work)-1]
		work = work[:len(work)-1]
		for _, s := range b.nodes[i].Succ {
			if index[s] < 0 {
				index[s] = 0
				work = append(work, s)
			}
		}
	}
	// 2. Drop the others, and renumber.
	var kept []*core.Node
	for i, n := range b.nodes {
		if index[i] >= 0 {
			index[i] = len(kept)
			kept = append(kept, n)
		}
	}
	for _, n := range kept {
		for i, s := range n.Succ {
			n.Succ[i] = index[s]
		}
	}
	return kept
}

// step starts a C statement: the nodes emitted by do carry its position and text, and the first of
// them is marked. If there is none, a skip stands for it. Steps nest: the calls and conditions
// inside a statement have the statement's text, and after a nested step the outer text is back.
func (b *frame) step(pos source.Pos, text string, do func()) {
	oldPos, oldText := b.pos, b.text
	b.pos, b.text, b.first = pos, text, true
	before := len(b.nodes)
	do()
	if len(b.nodes) == before {
		b.pos, b.text, b.first = pos, text, true
		b.skip()
	}
	b.pos, b.text, b.first = oldPos, oldText, false
}
