package wp

import (
	"c2bp/frontend/core"
	"c2bp/logic"
)

// This file defines how predicates are read around a call lhs := R(a1, …, ak) in a
// procedure Q (seed 004, §4.4.3). Between the return from R and the store into lhs
//
//	a variable of Q that R may change         has its new value under its own symbol,
//	                                          its old one, orig(y), under y@old;
//	any other variable of Q                   has one value, orig(y) = y;
//	the value that R returned                 is the unknown \ret.

// SuffixOld is the suffix of a variable's value before the call.
const SuffixOld = "@old"

// Call reads the predicates around one call.
type Call struct {
	tr       *Translator
	node     *core.Call
	affected func(*core.Var) bool
}

// Around returns the readings for a call; affected says which variables, as the
// caller sees them, the callee may change.
func (tr *Translator) Around(c *core.Call, affected func(*core.Var) bool) *Call {
	return &Call{tr: tr, node: c, affected: affected}
}

// Actual reads e, an expression of the callee over its formals and globals, in the
// caller before the call: φ[a1/f1, …]. It is what prm variables hold.
func (c *Call) Actual(e core.Expr) *logic.Term {
	env := func(v *core.Var) *logic.Term {
		if i := formalIndex(c.node.Callee, v); i >= 0 {
			return c.tr.Value(c.node.Args[i])
		}
		return c.tr.Env(v)
	}
	return c.tr.With(env).Cond(e)
}

// Orig reads a caller's expression before the call: orig of seed 004.
func (c *Call) Orig() *Translator { return c.tr.With(c.orig) }

func (c *Call) orig(v *core.Var) *logic.Term {
	if c.affected(v) {
		return Sym(c.tr.T, v, SuffixOld)
	}
	return c.tr.Env(v)
}

// Gamma reads a return predicate of the callee after the call: γ of seed 004. The
// returned variable is \ret, a symbolic constant is the actual, or the global, as it
// was before the call; globals are as they are now.
func (c *Call) Gamma(e core.Expr) *logic.Term {
	return c.tr.With(c.gamma).Cond(e)
}

func (c *Call) gamma(v *core.Var) *logic.Term {
	switch {
	case v == c.node.Callee.Result: // before formals: the result may be one
		return c.Returned()
	case v.Kind == core.Ghost:
		initial := func(u *core.Var) *logic.Term {
			if i := formalIndex(c.node.Callee, u); i >= 0 {
				return c.Orig().Value(c.node.Args[i])
			}
			return c.orig(u)
		}
		return c.tr.With(initial).Value(v.Init)
	case v.Kind == core.Global:
		return c.tr.Env(v)
	}
	panic("wp: return predicate mentions " + v.Name)
}

// Returned is the unknown value that the callee returned, before its conversion.
func (c *Call) Returned() *logic.Term {
	typ := c.node.Callee.RetType
	if r := c.node.Callee.Result; r != nil {
		typ = r.Type
	}
	if _, ok := typ.(core.Int); !ok { // an external without a usable type
		typ = c.node.Lhs.Type()
	}
	return Sym(c.tr.T, &core.Var{Name: `\ret`, Type: typ}, "")
}

// Store returns WP(lhs := \ret, φ) for φ about the state after the call, with the
// conversion that the store makes.
func (c *Call) Store(phi *logic.Term) *logic.Term {
	if c.node.Lhs == nil {
		return phi
	}
	it, ok := c.node.Lhs.Type().(core.Int)
	if !ok {
		return phi
	}
	v := c.Returned()
	if c.node.ResultConv != nil {
		v = c.tr.convert(v, it)
	}
	lhs := c.tr.Env(c.node.Lhs.(*core.VarRef).Var)
	return c.tr.T.Subst(phi, map[*logic.Term]*logic.Term{lhs: v})
}

func formalIndex(p *core.Proc, v *core.Var) int {
	for i, f := range p.Formals {
		if f == v {
			return i
		}
	}
	return -1
}
