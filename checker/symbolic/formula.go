package symbolic

import (
	"c2bp/boolprog"
	"c2bp/checker/bdd"
)

// This file writes sets of valuations as formulas.

// formulas writes sets as formulas.
type formulas struct {
	m    *bdd.Manager
	opts *Options
	refs map[int]*boolprog.Ref     // by level: the variable
	not  map[int]boolprog.Expr     // by level: its negation
	done map[bdd.Ref]boolprog.Expr // the formulas of diagrams, so that shared parts are one pointer
}

// formulas returns a writer; refs names the levels that occur.
func (s *Solution) formulas(refs map[int]*boolprog.Ref) *formulas {
	return &formulas{m: s.m, opts: &s.opts, refs: refs, not: map[int]boolprog.Expr{}, done: map[bdd.Ref]boolprog.Expr{}}
}

// Limits of a short disjunction, in literals: someLiterals + literalsPerNode for each BDD node, but
// at most manyLiterals. People prefer a disjunction to a decision diagram.
const (
	someLiterals    = 200
	literalsPerNode = 4
	manyLiterals    = 2000
)

// formula returns set as a disjunction of conjunctions or the negation of one, whichever is
// shorter, or as a decision diagram if neither is short.
func (f *formulas) formula(set bdd.Ref) boolprog.Expr {
	if f.opts.diagrams && set > bdd.True {
		return f.diagram(set)
	}
	// 1. Cover set, and then its complement, where that is shorter.
	short := min(someLiterals+literalsPerNode*f.m.NodeCount(set), manyLiterals)
	yes, ok := f.m.CoverWithin(set, short)
	if ok {
		short = literals(yes) - 1
	}
	if no, better := f.m.CoverWithin(f.m.Not(set), short); better {
		return &boolprog.Not{X: disjunction(no, f.refs)}
	}
	if ok {
		return disjunction(yes, f.refs)
	}
	// 2. Neither is short.
	return f.diagram(set)
}

// diagram returns the decision diagram of set, which is not constant. Equal parts of it are one
// pointer.
func (f *formulas) diagram(set bdd.Ref) boolprog.Expr {
	v := f.m.Tested(set)
	if e := f.done[set]; e != nil {
		return e
	}
	// Shannon expansion: v & hi | !v & lo, without the parts that are 0.
	hi, lo := f.guarded(f.refs[v], f.m.Hi(set)), f.guarded(f.negated(v), f.m.Lo(set))
	e := hi
	switch {
	case hi == nil:
		e = lo
	case lo != nil:
		e = either(hi, lo)
	}
	f.done[set] = e
	return e
}

// guarded is lit & set; nil if that is 0.
func (f *formulas) guarded(lit boolprog.Expr, set bdd.Ref) boolprog.Expr {
	switch set {
	case bdd.False:
		return nil
	case bdd.True:
		return lit
	}
	return conjunction(lit, f.diagram(set))
}

// negated is !v.
func (f *formulas) negated(v int) boolprog.Expr {
	if f.not[v] == nil {
		f.not[v] = &boolprog.Not{X: f.refs[v]}
	}
	return f.not[v]
}

// literals counts those of the cubes.
func literals(cubes [][]bdd.Literal) (n int) {
	for _, c := range cubes {
		n += len(c)
	}
	return n
}

// disjunction is that of the cubes; refs are by level.
func disjunction(cubes [][]bdd.Literal, refs map[int]*boolprog.Ref) boolprog.Expr {
	var or boolprog.Expr = &boolprog.Const{Val: false}
	for i, c := range cubes {
		var and boolprog.Expr = &boolprog.Const{Val: true}
		// A cube is a conjunction of literals.
		for _, l := range c {
			var lit boolprog.Expr = refs[l.Level]
			if !l.Val {
				lit = &boolprog.Not{X: lit}
			}
			and = conjunction(and, lit)
		}
		if i == 0 {
			or = and
		} else {
			or = either(or, and)
		}
	}
	return or
}

// conjunction is x & y, y alone if x is 1.
func conjunction(x, y boolprog.Expr) boolprog.Expr {
	if c, ok := x.(*boolprog.Const); ok && c.Val {
		return y
	}
	return &boolprog.Binary{Op: boolprog.And, X: x, Y: y}
}

// either is x | y.
func either(x, y boolprog.Expr) boolprog.Expr {
	return &boolprog.Binary{Op: boolprog.Or, X: x, Y: y}
}
