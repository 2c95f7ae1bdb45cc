package cex

import (
	"math/big"

	"c2bp/frontend/core"
	"c2bp/logic"
	"c2bp/refine/algebra"
)

// This file spells terms over the start of a path as expressions over formals and globals of an
// activation.

// SpellAddress returns an expression for the value, the address of one of the variables among, which
// are global or of activation f, or of a place in one; nil if it is no such address.
func (x *Execution) SpellAddress(value *logic.Term, f *Frame, typ core.Ptr, among ...[]*core.Var) core.Expr {
	// 1. The value as address + offset.
	symbol, off := value.Displaced()
	if !symbol.IsAddress() || !off.IsInt64() {
		return nil
	}
	// 2. The variable with that address, with the spelling that its places have in the program.
	here := x.In(f, 0)
	for _, vars := range among {
		for _, v := range vars {
			if v.InMemory() && here.Address(v.Ref()) == symbol {
				return x.Alias.AllFollowed(algebra.Displace(&core.AddrOf{Var: v, Typ: typ}, off.Int64()))
			}
		}
	}
	return nil
}

// SpellNumber returns an expression of type to for term t, a linear sum of numbers that formals of f,
// globals and places in memory held at the start; nil if it is none. Numbers are taken not to wrap
// around.
func (x *Execution) SpellNumber(t *logic.Term, f *Frame, to core.Int) core.Expr {
	s := algebra.Sum{Constant: new(big.Int)}
	switch t = Unwrapped(x.Table, t); {
	case t.IsConst():
		s.Constant = t.Val
	case t.Op == logic.OpSym, t.Op == logic.OpApp:
		if !x.addStart(&s, t, big.NewInt(1), f) {
			return nil
		}
	case t.Op == logic.OpSum:
		s.Constant = t.Val
		for i, a := range t.Args {
			if !x.addStart(&s, a, t.Coef[i], f) {
				return nil
			}
		}
	default:
		return nil
	}
	return s.Expression(to)
}

// startOf returns the formal of f or the global whose value at the start is t; nil if there is none.
func (x *Execution) startOf(t *logic.Term, f *Frame) *core.Var {
	// Formals come first: a callee's predicates speak of its arguments.
	for _, v := range f.Proc.Formals {
		if !v.InMemory() && algebra.IsScalar(v.Type) && x.Inputs[Input{-1, f, v}] == t {
			return v
		}
	}
	for _, g := range x.Prog.Globals {
		if !g.InMemory() && algebra.IsScalar(g.Type) && x.Inputs[Input{-1, nil, g}] == t {
			return g
		}
	}
	return nil
}

// addStart adds k·v to a sum if t is the number that v held at the start; it reports whether there is
// such a v.
func (x *Execution) addStart(s *algebra.Sum, t *logic.Term, k *big.Int, f *Frame) bool {
	v := x.StartRead(t, f)
	if v == nil {
		return false
	}
	if _, isInt := v.Type().(core.Int); !isInt {
		return false
	}
	s.AddAtom(k, v)
	return true
}

// StartRead returns the place that held t at the start: a formal or global, or a place in memory at a
// constant offset from the address of a global or from where one of these pointed; nil if there is
// none.
//
//	the symbol of formal n               n
//	M[&dev + 8] at the start             dev.lock
//	M[q + 4], q the symbol of formal p   p->next
func (x *Execution) StartRead(t *logic.Term, f *Frame) core.Loc {
	if v := x.startOf(t, f); v != nil {
		return v.Ref()
	}
	if t.Op != logic.OpApp || logic.HasMeaning(t.Name) || !x.Translator.Open(t) || StepOpened(t) != 0 {
		return nil
	}
	// A read of memory at the start: is its address in a global, or relative to a formal?
	typ := x.Translator.TypeOf(t)
	pointer := core.Ptr{Bits: x.Bits}
	if a := x.SpellAddress(t.Args[0], nil, pointer, x.Prog.Globals); a != nil {
		return &core.Mem{Addr: a, Typ: typ}
	}
	for _, v := range f.Proc.Formals {
		start := x.Inputs[Input{-1, f, v}]
		if _, ok := v.Type.(core.Ptr); v.InMemory() {
			start = x.In(f, 0).Address(v.Ref())
		} else if !ok || start == nil {
			continue
		}
		if d := x.Table.Sub(t.Args[0], start); d.IsConst() && d.Val.IsInt64() {
			return placeAt(f.Proc, v, d.Val.Int64(), typ, pointer)
		}
	}
	return nil
}

// placeAt returns the place at an offset in v, a struct, or from where v, a pointer, points. It is
// spelt as p spells it, if p reads it anywhere.
func placeAt(p *core.Proc, v *core.Var, off int64, typ core.Type, pointer core.Ptr) core.Loc {
	var base core.Expr = v.Ref()
	if v.InMemory() {
		base = &core.AddrOf{Var: v, Typ: pointer}
	}
	// A place of the right type at that offset in the first node that reads one.
	for _, n := range p.Nodes {
		var found core.Loc
		core.StmtExprs(n.Stmt, func(e core.Expr) {
			for _, l := range core.Loads(e) {
				if m, ok := l.(*core.Mem); ok && m.Typ == typ {
					if b, at := algebra.Base(m.Addr); at == off && core.Equal(b, base) {
						found = m
					}
				}
			}
		})
		if found != nil {
			return found
		}
	}
	return &core.Mem{Addr: algebra.Displace(base, off), Typ: typ}
}
