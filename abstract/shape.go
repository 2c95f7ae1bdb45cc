package abstract

import (
	"fmt"

	"c2bp/boolprog"
	"c2bp/frontend/core"
	"c2bp/internal/graph"
)

// This file writes the graph of a procedure's nodes as structured statements: if and while where it
// has their form, goto for every other edge. Each node is written once. The Boolean program has the
// control structure of the core program, edge for edge: a branch is a test of *, and the
// assumptions after it select.

// shape returns the body of p; stmts holds the statements of each node.
func shape(p *core.Proc, stmts [][]*boolprog.Stmt) []*boolprog.Stmt {
	f := newFlow(p)
	s := &shaper{proc: p, stmts: stmts, flow: f, first: map[int]*boolprog.Stmt{}, pending: map[int]int{}, taken: map[string]bool{}}
	for _, n := range p.Nodes {
		for _, l := range n.Labels {
			s.taken[identifier(l)] = true
		}
	}
	var body []*boolprog.Stmt
	body = s.sequence(body, 0, none)
	// Write the nodes that were left to enclosing constructs but that those did not write.
	for len(s.todo) > 0 {
		n := s.todo[0]
		s.todo = s.todo[1:]
		if s.first[n] == nil {
			body = s.sequence(body, n, none)
		}
	}
	s.placeLabels()
	return body
}

// none is the follower of a sequence that must not reach its end.
const none = graph.None

// shaper writes one procedure.
type shaper struct {
	proc    *core.Proc
	stmts   [][]*boolprog.Stmt
	flow    *flow
	first   map[int]*boolprog.Stmt // the first statement of each node written
	pending map[int]int            // nodes that enclosing constructs will write next, counted
	jumped  []bool                 // nodes that a goto names
	todo    []int
	taken   map[string]bool // C labels
	depth   int
}

// maxDepth bounds the nesting of recovered structures; deeper ones become gotos.
const maxDepth = 200

// sequence appends the statements from node n up to, but not including, node follow.
func (s *shaper) sequence(out []*boolprog.Stmt, n, follow int) []*boolprog.Stmt {
	for n != follow {
		// 1. A node that is written elsewhere: jump to it.
		if s.first[n] != nil || s.pending[n] > 0 || s.depth > maxDepth {
			return append(out, s.jump(n))
		}
		// 2. Write the node, and continue with its successor.
		node := s.proc.Nodes[n]
		switch node.Stmt.(type) {
		case *core.Branch:
			out, n = s.branch(out, n, follow)
		case *core.Return:
			return s.write(out, n, s.stmts[n])
		default:
			out = s.write(out, n, s.stmts[n])
			n = node.Succ[0]
		}
		if n == none {
			return out
		}
	}
	return out
}

// write appends the statements of node n.
func (s *shaper) write(out []*boolprog.Stmt, n int, stmts []*boolprog.Stmt) []*boolprog.Stmt {
	s.first[n] = stmts[0]
	return append(out, stmts...)
}

// jump returns a goto to node n, which is written sooner or later.
func (s *shaper) jump(n int) *boolprog.Stmt {
	if s.jumped == nil {
		s.jumped = make([]bool, len(s.proc.Nodes))
	}
	s.jumped[n] = true
	s.todo = append(s.todo, n)
	return &boolprog.Stmt{Op: &boolprog.Goto{Targets: []*boolprog.Ref{{Name: s.label(n)}}}, Annot: s.place(n)}
}

// place returns the annotation of node n without its origin: a jump to n belongs to it in traces,
// which must not depend on the layout of the Boolean program's text.
func (s *shaper) place(n int) *boolprog.Annot {
	if len(s.stmts[n]) == 0 || s.stmts[n][0].Annot == nil {
		return nil
	}
	a := *s.stmts[n][0].Annot
	a.Origin = ""
	return &a
}

// label names node n: a C label if it has one.
func (s *shaper) label(n int) string {
	if ls := s.proc.Nodes[n].Labels; len(ls) > 0 {
		return identifier(ls[0])
	}
	name := fmt.Sprintf("L%d", n)
	for s.taken[name] {
		name += "_"
	}
	return name
}

// placeLabels puts C labels and the targets of gotos in front of their statements.
func (s *shaper) placeLabels() {
	for n, node := range s.proc.Nodes {
		st := s.first[n]
		if st == nil {
			continue // not reachable in the graph
		}
		for _, l := range node.Labels {
			st.Labels = append(st.Labels, identifier(l))
		}
		if len(node.Labels) == 0 && s.jumped != nil && s.jumped[n] {
			st.Labels = append(st.Labels, s.label(n))
		}
	}
}

// branch writes the branch at n and returns the node to continue with, none if all is written.
func (s *shaper) branch(out []*boolprog.Stmt, n, follow int) ([]*boolprog.Stmt, int) {
	succ := s.proc.Nodes[n].Succ
	// 1. No choice.
	if len(succ) == 1 {
		return s.write(out, n, s.headOf(n, &boolprog.Skip{})), succ[0]
	}
	// 2. A loop.
	if body, exit, ok := s.flow.while(n); ok {
		loop := &boolprog.While{Cond: &boolprog.Nondet{}}
		out = s.write(out, n, s.headOf(n, loop))
		loop.Body = s.nested(body, n, exit, s.next(exit))
		return out, exit
	}
	// 3. An if whose last arm continues after it: an early return, or goto.
	test := &boolprog.If{}
	out = s.write(out, n, s.headOf(n, test))
	join, last := s.flow.ipdom[n], succ[len(succ)-1]
	if s.flat(n, join, follow) {
		s.arms(test, succ[:len(succ)-1], none, join)
		test.Else, s.first[last] = s.stmts[last], s.stmts[last][0]
		return out, s.proc.Nodes[last].Succ[0]
	}
	// 4. An if whose arms meet at the join, unless that is written elsewhere.
	if join != follow && !s.open(join) {
		join = none
	}
	s.arms(test, succ[:len(succ)-1], join)
	if last != join { // else there is nothing in this arm
		test.Else = s.nested(last, join)
	}
	return out, join
}

// open reports whether node n can be written at the present place.
func (s *shaper) open(n int) bool { return n != none && s.first[n] == nil && s.pending[n] == 0 }

// next returns the one successor of n, none if it has several.
func (s *shaper) next(n int) int {
	if succ := s.proc.Nodes[n].Succ; len(succ) == 1 {
		return succ[0]
	}
	return none
}

// flat reports whether the last arm of the branch at n is written after the if rather than nested
// in it: for an early return, or for if (e) goto out, where the arms meet only at out.
//
//	nested    if (*) then assume(e); return; else assume(!e); … fi
//	flat      if (*) then assume(e); return; fi assume(!e); …
func (s *shaper) flat(n, join, follow int) bool {
	succ := s.proc.Nodes[n].Succ
	last := succ[len(succ)-1]
	if !s.flow.onlyPred(last, n) || !s.open(last) || join == follow && join != none {
		return false
	}
	if join == s.proc.Exit() || !s.open(join) {
		return true
	}
	for _, a := range succ[:len(succ)-1] {
		if s.next(a) != join {
			return false
		}
	}
	return s.next(last) != join
}

// headOf returns the one statement of a branch node.
func (s *shaper) headOf(n int, op boolprog.Op) []*boolprog.Stmt {
	return []*boolprog.Stmt{{Op: op, Annot: s.stmts[n][0].Annot}}
}

// arms fills the tests of an if, one for each start.
func (s *shaper) arms(test *boolprog.If, starts []int, join int, pending ...int) {
	for _, a := range starts {
		test.Conds = append(test.Conds, &boolprog.Nondet{})
		test.Thens = append(test.Thens, s.nested(a, join, pending...))
	}
}

// nested writes a block inside a construct, from n up to follow. It writes neither follow nor the
// pending nodes: the construct continues with them.
func (s *shaper) nested(n, follow int, pending ...int) []*boolprog.Stmt {
	pending = append(pending, follow)
	for _, p := range pending {
		s.pending[p]++
	}
	s.depth++
	body := s.sequence(nil, n, follow)
	s.depth--
	for _, p := range pending {
		s.pending[p]--
	}
	if len(body) == 0 {
		return skip()
	}
	return body
}
