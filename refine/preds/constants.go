package preds

import (
	"c2bp/frontend/core"
	"c2bp/refine/algebra"
)

// This file makes symbolic constants, 'x, for the values of formals, globals and places in memory at
// the entry of a procedure.

// Constants makes symbolic constants: one for each procedure and lvalue over its formals and globals.
type Constants struct {
	byText map[*core.Proc]map[string]*core.Var
}

// NewConstants returns a maker of symbolic constants that has made none.
func NewConstants() *Constants { return &Constants{map[*core.Proc]map[string]*core.Var{}} }

// Of returns the symbolic constant of p for l: a formal, a global, or a place in memory at an address
// that these give. Two lvalues with one text have one symbolic constant.
func (g *Constants) Of(p *core.Proc, l core.Loc) *core.Var {
	if g.byText[p] == nil {
		g.byText[p] = map[string]*core.Var{}
	}
	name, pos := "'"+core.CString(l), p.Pos
	if v := algebra.Variable(l); v != nil {
		pos = v.Pos
	} else {
		name = "'(" + core.CString(l) + ")"
	}
	key := core.ExprString(l)
	if g.byText[p][key] == nil {
		g.byText[p][key] = &core.Var{Name: name, Type: l.Type(), Kind: core.Ghost, Proc: p, Init: l, Pos: pos}
	}
	return g.byText[p][key]
}

// In returns e, an expression over the state at the entry of p, in terms of symbolic constants.
func (g *Constants) In(p *core.Proc, e core.Expr) core.Expr {
	return core.Replace(e, func(x core.Expr) core.Expr {
		if l, ok := x.(core.Loc); ok {
			return g.Of(p, l).Ref()
		}
		return nil
	})
}
