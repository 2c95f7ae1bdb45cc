package extract

import (
	"encoding/binary"
	"fmt"

	"c2bp/boolprog"
	"c2bp/refine/certificate"
)

// This file reads formulas of the checker as formulas over predicates.

// formulas makes those of one procedure: equal ones are one pointer.
type formulas struct {
	index   map[string]int // predicates, by name of the Boolean variable
	made    map[string]*certificate.Formula
	number  map[*certificate.Formula]int // of those made
	negated map[*certificate.Formula]*certificate.Formula
}

func newFormulas(index map[string]int) *formulas {
	return &formulas{
		index: index, made: map[string]*certificate.Formula{},
		number: map[*certificate.Formula]int{}, negated: map[*certificate.Formula]*certificate.Formula{},
	}
}

// make is the one formula of that form.
func (m *formulas) make(op certificate.Op, pred int, args ...*certificate.Formula) *certificate.Formula {
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

// of is e as a formula over predicates. Parts of e that are the same pointer are read once.
func (m *formulas) of(e boolprog.Expr) (*certificate.Formula, error) {
	return (&formulaReader{m, map[boolprog.Expr]*certificate.Formula{}}).read(e)
}

type formulaReader struct {
	*formulas
	done map[boolprog.Expr]*certificate.Formula
}

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

// not is the negation of f, of its operands where they are few words.
func (m *formulas) not(f *certificate.Formula) *certificate.Formula {
	if g := m.negated[f]; g != nil {
		return g
	}
	g := m.negate(f)
	m.negated[f] = g
	return g
}

func (m *formulas) negate(f *certificate.Formula) *certificate.Formula {
	var op certificate.Op
	switch f.Op {
	case certificate.Not:
		return f.Args[0]
	case certificate.And:
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

// operands flattens a chain x op y op z.
func operands(e boolprog.Expr, op boolprog.BinOp) []boolprog.Expr {
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
