package symbolic

import (
	"c2bp/boolprog"
	"c2bp/checker/bdd"
)

// This file writes sets of valuations as formulas.

// phrasing writes sets as formulas.
type phrasing struct {
	m    *bdd.Manager
	opts *Options
	refs map[int]*boolprog.Ref // by level
	not  map[int]boolprog.Expr // the negations of these
	done map[bdd.Ref]boolprog.Expr
}

func (s *Solution) phrasing(refs map[int]*boolprog.Ref) *phrasing {
	return &phrasing{m: s.m, opts: &s.opts, refs: refs, not: map[int]boolprog.Expr{}, done: map[bdd.Ref]boolprog.Expr{}}
}

// What is a short disjunction: people like it better than a decision diagram, and a diagram
// of few nodes has none that is much longer.
const (
	someLiterals    = 200
	literalsPerNode = 4
	manyLiterals    = 2000
)

// formula is set as a disjunction of conjunctions, or the negation of one, whichever is
// shorter; as a decision diagram if neither is short.
func (f *phrasing) formula(set bdd.Ref) boolprog.Expr {
	if f.opts.diagrams && set > bdd.True {
		return f.diagram(set)
	}
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
	return f.diagram(set)
}

// diagram is the decision diagram of set, which is not constant. Equal parts of it are one
// pointer.
func (f *phrasing) diagram(set bdd.Ref) boolprog.Expr {
	v, key := f.m.Tested(set), set
	if f.opts.mutation == oneOfLevel {
		key = f.m.Var(v)
	}
	if e := f.done[key]; e != nil {
		return e
	}
	hi, lo := f.guarded(f.refs[v], f.m.Hi(set)), f.guarded(f.negated(v), f.m.Lo(set))
	e := hi
	switch {
	case hi == nil:
		e = lo
	case lo != nil:
		e = either(hi, lo)
	}
	f.done[key] = e
	return e
}

// guarded is lit & set; nil if that is 0.
func (f *phrasing) guarded(lit boolprog.Expr, set bdd.Ref) boolprog.Expr {
	switch set {
	case bdd.False:
		return nil
	case bdd.True:
		return lit
	}
	return conjunction(lit, f.diagram(set))
}

// negated is !v.
func (f *phrasing) negated(v int) boolprog.Expr {
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
