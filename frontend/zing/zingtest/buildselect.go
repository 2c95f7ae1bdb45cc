package zingtest

import (
	"slices"

	"c2bp/frontend/zing"
)

// This file builds select statements.

// choice builds a select: a prolog finds the join statements that can run, a picker takes up the
// choice among several, tests lead to the one that is taken, which receives, and a connector ends the
// step before its statement.
func (b *builder) choice(s *zing.Select, at context, next *block) *block {
	sel := &selection{node: s, joins: ordered(s.Joins), deterministic: s.First || len(s.Joins) == 1}
	var tests *block
	for i := len(sel.joins) - 1; i >= 0; i-- {
		j := sel.joins[i]
		taken := b.block("connector", at, j, b.stmt(j.Body, at, next))
		if receives(j) || s.Visible {
			taken = glue(b.action("receive", at, j, taken, func(r *run) { r.receive(j, s.Visible) }))
		}
		otherwise := tests
		tests = glue(b.block("test", at, j, nil))
		tests.do = func(r *run) *block {
			if r.picked == i {
				return taken
			}
			return otherwise
		}
	}
	picker := glue(b.action("pick", at, s, tests, func(r *run) { r.picked = int(r.chosen.(int64)) }))

	prolog := b.block("select", at, s, nil)
	prolog.glued = sel.deterministic
	prolog.prolog = sel
	prolog.do = func(r *run) *block {
		can, failure := r.canRun(sel)
		switch {
		case failure != nil:
			panic(failure)
		case len(can) == 0:
			panic(&Failure{Kind: BlockingSelect, Pos: s.Pos()})
		case sel.deterministic || len(can) == 1:
			r.picked, r.goesOn = can[0], true
			return tests
		}
		r.state.pending = can.values()
		return picker
	}
	return prolog
}

// ordered returns join statements in the order in which they are tried: timeout changes places with
// the last.
func ordered(joins []*zing.Join) []*zing.Join {
	list := slices.Clone(joins)
	for i, j := range list {
		if _, is := j.Patterns[0].(*zing.TimeoutPattern); is {
			list[i], list[len(list)-1] = list[len(list)-1], list[i]
			break
		}
	}
	return list
}

// receives reports whether a join statement receives from a channel.
func receives(j *zing.Join) bool {
	return slices.ContainsFunc(j.Patterns, func(p zing.Pattern) bool {
		_, is := p.(*zing.ReceivePattern)
		return is
	})
}
