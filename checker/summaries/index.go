package summaries

import (
	"slices"

	"c2bp/checker/zom"
)

// This file finds the completed root that a call matches.

// Index is a set of completed roots.
type Index struct {
	prog *zom.Program
	tops map[Key]*node
}

// node is a node of the decision tree over the facts of patterns. The same facts with the same answers mostly lead to
// the same next fact; where they do not, because other roots were there when a root was computed, a node has roots
// beside its branches.
type node struct {
	label    Fact
	branches map[Answer]*node // if there are none, the node has no label
	root     *Root            // whose pattern ends here
	beside   []*Root
}

// NewIndex returns an empty set.
func NewIndex(p *zom.Program) *Index { return &Index{p, map[Key]*node{}} }

// Add adds a completed root.
func (x *Index) Add(r *Root) {
	n := x.tops[r.Key]
	if n == nil {
		n = &node{}
		x.tops[r.Key] = n
	}
	for _, read := range r.Pattern {
		switch {
		case n.root != nil, len(n.branches) > 0 && n.label != read.Fact:
			n.beside = append(n.beside, r)
			return
		}
		if n.label = read.Fact; n.branches == nil {
			n.branches = map[Answer]*node{}
		}
		to := n.branches[read.Answer]
		if to == nil {
			to = &node{}
			n.branches[read.Answer] = to
		}
		n = to
	}
	if n.root == nil && len(n.branches) == 0 {
		n.root = r
	} else {
		n.beside = append(n.beside, r)
	}
}

// Find returns a root that the state of a call matches, or nil, and the addresses of the objects that its pattern
// names.
func (x *Index) Find(k Key, s *zom.State, process int, a Asker) (*Root, []zom.Word) {
	n := x.tops[k]
	if n == nil {
		return nil, nil
	}
	in := &reader{x.prog, s, process, a, nil}
	r := in.find(n, 0)
	return r, in.cells
}

// find returns a matching root below a node, to which so many facts have led.
func (in *reader) find(n *node, depth int) *Root {
	if n.root != nil {
		return n.root
	}
	// 1. The branch of the answer.
	named := len(in.cells)
	if len(n.branches) > 0 {
		if to := n.branches[in.answer(n.label)]; to != nil {
			if r := in.find(to, depth+1); r != nil {
				return r
			}
		}
	}
	// 2. The others, one by one.
	for _, r := range n.beside {
		in.cells = in.cells[:named]
		if !slices.ContainsFunc(r.Pattern[depth:], func(x Read) bool { return in.answer(x.Fact) != x.Answer }) {
			return r
		}
	}
	in.cells = in.cells[:named]
	return nil
}
