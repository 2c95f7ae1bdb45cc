package extract

import (
	"encoding/binary"
	"fmt"

	"c2bp/boolprog"
	"c2bp/refine/certificate"
)

// This file translates formulas of the checker to formulas over predicates.

// formulas makes the formulas of one procedure. Equal ones are one pointer (hash consing).
type formulas struct {
	index   map[string]int // predicates, by name of the Boolean variable
	made    map[string]*certificate.Formula
	number  map[*certificate.Formula]int // of those made
	negated map[*certificate.Formula]*certificate.Formula
}

// newFormulas returns formulas over predicates with that index, none made yet.
func newFormulas(index map[string]int) *formulas {
	return &formulas{
		index: index, made: map[string]*certificate.Formula{},
		number: map[*certificate.Formula]int{}, negated: map[*certificate.Formula]*certificate.Formula{},
	}
}

// make returns the one formula of that form.
// Formulas of one form have the same operator, the same predicate and the same operands; a formula is
// identified by its number.
func (m *formulas) make(op certificate.Op, pred int, args ...*certificate.Formula) *certificate.Formula {
	// The operands are unique: their numbers identify them.
	key := binary.AppendUvarint(binary.AppendUvarint(nil, uint64(op)), uint64(pred))
	for _, f := range args {
		key = binary.AppendUvarint(key, uint64(m.number[f]))
	}
	f := m.made[string(key)]
	if f == nil {
		f = &certificate.Formula{Op: op, Args: args, Pred: pred}
		m.made[string(key)], m.number[f] = f, len(m.number)
	}
	return f
}

// of returns e as a formula over predicates. Equal pointers in e are translated once.
func (m *formulas) of(e boolprog.Expr) (*certificate.Formula, error) {
	return (&formulaReader{m, map[boolprog.Expr]*certificate.Formula{}}).read(e)
}

// formulaReader translates one expression of the checker, a graph.
type formulaReader struct {
	*formulas
	done map[boolprog.Expr]*certificate.Formula
}

// read returns e as a formula, translated before or now.
func (r *formulaReader) read(e boolprog.Expr) (*certificate.Formula, error) {
	if f := r.done[e]; f != nil {
		return f, nil
	}
	f, err := r.convert(e)
	if err == nil {
		r.done[e] = f
	}
	return f, err
}

// convert translates e, whose operands may have been translated before.
//
//	1, 0            (and), (or): true, false
//	{x == 1}        p0
//	'{x == 1}       (entry p0)
//	!e              the negation of e
//	e & e' & e''    (and e e' e''), and so with |
//	e == e'         (iff e e')
func (r *formulaReader) convert(e boolprog.Expr) (*certificate.Formula, error) {
	switch e := e.(type) {
	case *boolprog.Const:
		if e.Val {
			return r.make(certificate.And, 0), nil
		}
		return r.make(certificate.Or, 0), nil
	case *boolprog.Ref:
		i, ok := r.index[e.Name]
		if !ok {
			return nil, fmt.Errorf("%s is no predicate", e.Name)
		}
		// 'x in a path edge is the truth of x at the entry.
		if e.Next {
			return r.make(certificate.Held, i), nil
		}
		return r.make(certificate.Holds, i), nil
	case *boolprog.Not:
		f, err := r.read(e.X)
		if err != nil {
			return nil, err
		}
		return r.not(f), nil
	case *boolprog.Binary:
		switch e.Op {
		case boolprog.And:
			return r.compound(certificate.And, operands(e, boolprog.And)...)
		case boolprog.Or:
			return r.compound(certificate.Or, operands(e, boolprog.Or)...)
		case boolprog.Eq:
			return r.compound(certificate.Iff, e.X, e.Y)
		}
	}
	return nil, fmt.Errorf("no formula: %s", boolprog.ExprString(e))
}

// not returns the negation of f, with negations moved into conjunctions and disjunctions.
// Each formula is negated once, so that a graph stays a graph.
func (m *formulas) not(f *certificate.Formula) *certificate.Formula {
	if g := m.negated[f]; g != nil {
		return g
	}
	g := m.negate(f)
	m.negated[f] = g
	return g
}

// negate makes the negation of f (De Morgan).
func (m *formulas) negate(f *certificate.Formula) *certificate.Formula {
	var op certificate.Op
	switch f.Op {
	case certificate.Not:
		return f.Args[0]
	case certificate.And:
		// A conjunction becomes a disjunction of negations, and the other way round.
		op = certificate.Or
	case certificate.Or:
		op = certificate.And
	default:
		return m.make(certificate.Not, 0, f)
	}
	var args []*certificate.Formula
	for _, x := range f.Args {
		args = append(args, m.not(x))
	}
	return m.make(op, 0, args...)
}

// compound translates the operands of a connective.
func (r *formulaReader) compound(op certificate.Op, list ...boolprog.Expr) (*certificate.Formula, error) {
	var args []*certificate.Formula
	for _, e := range list {
		f, err := r.read(e)
		if err != nil {
			return nil, err
		}
		args = append(args, f)
	}
	return r.make(op, 0, args...), nil
}

// operands returns x, y, z of a chain x op y op z, in that order.
// Deep chains are usual, so it does not recurse.
func operands(e boolprog.Expr, op boolprog.BinOp) []boolprog.Expr {
	// The chain is nested to the left: collect from the right, then turn round.
	var back []boolprog.Expr
	for {
		b, ok := e.(*boolprog.Binary)
		if !ok || b.Op != op {
			break
		}
		back = append(back, b.Y)
		e = b.X
	}
	out := []boolprog.Expr{e}
	for i := len(back) - 1; i >= 0; i-- {
		out = append(out, back[i])
	}
	return out
}
