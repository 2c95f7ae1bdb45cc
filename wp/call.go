package wp

import (
	"fmt"

	"c2bp/frontend/core"
	"c2bp/logic"
)

// This file defines the readings of predicates around a call lhs := R(a1, …, ak) in a procedure Q
// (Ball–Millstein–Rajamani 2005, §4.4.3, §5.4). Between the return from R and the store into lhs
//
//	a variable of Q, or a place in memory,    has its new value under its own symbol or
//	that R may change                         map, its old one, orig(y), under y@old;
//	anything else of Q                        has one value, orig(y) = y;
//	the value that R returned                 is the unknown \ret; of a struct, each
//	                                          member is an unknown.
//
// The maps keep the aliases from before the call, and orig reads addresses in the state before,
// too: orig(*p) is M@old(orig(p)).

// SuffixOld is the suffix of a value before the call.
const SuffixOld = "@old"

// Call reads the predicates around one call.
type Call struct {
	tr       *Translator
	node     *core.Call
	affected func(core.Loc) bool // whether the callee may change a place of the caller
	before   *Translator         // orig
}

// Around returns the readings for a call; affected reports which variables and places, as the
// caller sees them, the callee may change.
func (tr *Translator) Around(c *core.Call, affected func(core.Loc) bool) *Call {
	out := &Call{tr: tr, node: c, affected: affected}
	before := *tr
	before.suffix = func(l core.Loc) string {
		if affected(l) {
			return SuffixOld
		}
		return ""
	}
	before.Env = func(v *core.Var) *logic.Term {
		switch {
		case v.InMemory():
			return before.load(v.Ref(), before.address(v), v.Type, 0)
		case affected(v.Ref()):
			return Sym(tr.T, v, SuffixOld)
		}
		return tr.Env(v)
	}
	out.before = &before
	return out
}

// Actual returns e, an expression of the callee over its formals and globals, as an expression of
// the caller before the call: φ[a1/f1, …]. That is its spelling; for its meaning, whatever pointers
// hold, see [Translator.Entering]. (The formal of a struct is a copy of the object that the
// argument points to.)
func Actual(c *core.Call, e core.Expr) core.Expr {
	return core.Replace(objects(c, e), func(x core.Expr) core.Expr {
		if r, ok := x.(*core.VarRef); ok {
			if i := formalIndex(c.Callee, r.Var); i >= 0 {
				return c.Args[i]
			}
		}
		return nil
	})
}

// objects returns e with arguments in the place of the addresses of formals, which are structs.
func objects(c *core.Call, e core.Expr) core.Expr {
	return core.Replace(e, func(x core.Expr) core.Expr {
		if a, ok := x.(*core.AddrOf); ok {
			if i := formalIndex(c.Callee, a.Var); i >= 0 {
				return c.Args[i]
			}
		}
		return nil
	})
}

// Entering returns a reading of expressions of the callee over its formals and globals in the state
// before the call (the values of prm variables), as the callee reads them at its entry. Where the
// callee does not follow a pointer to its single target (Aliases.Followed), the caller must not,
// either, although it may know a single target of its actual: the value of *f for a formal f that
// points nowhere is the same on both sides, and the callee takes *f and *g for equal if f == g.
func (tr *Translator) Entering(c *core.Call) *Callee {
	return &Callee{c, tr.With(func(v *core.Var) *logic.Term {
		if i := formalIndex(c.Callee, v); i >= 0 {
			return tr.Value(c.Args[i])
		}
		return tr.Env(v)
	})}
}

// Callee reads expressions of the callee of a call.
type Callee struct {
	call *core.Call
	tr   *Translator
}

// Cond returns the formula "e is not zero".
func (r *Callee) Cond(e core.Expr) *logic.Term { return r.tr.Cond(objects(r.call, e)) }

// Value returns the value of e.
func (r *Callee) Value(e core.Expr) *logic.Term { return r.tr.Value(objects(r.call, e)) }

// Actual returns the callee's condition e, over formals and globals, in the state before the call.
func (c *Call) Actual(e core.Expr) *logic.Term { return c.tr.Entering(c.node).Cond(e) }

// Orig reads a caller's expression before the call: orig of Ball–Millstein–Rajamani 2005.
func (c *Call) Orig() *Translator { return c.before }

// Gamma reads a return predicate of the callee after the call: γ of Ball–Millstein–Rajamani 2005.
// The returned variable is \ret; a symbolic constant is its expression before the call, with
// actuals for formals; globals and memory are read in the present state.
func (c *Call) Gamma(e core.Expr) *logic.Term {
	return c.tr.With(c.gamma).Cond(c.ofResult(e))
}

// ofResult returns e with unknowns in the place of the members of a result that is a struct: the
// object is gone, and no place of the caller's.
func (c *Call) ofResult(e core.Expr) core.Expr {
	r := c.node.Callee.Result
	if r == nil || !r.InMemory() {
		return e
	}
	return core.Replace(e, func(x core.Expr) core.Expr {
		if m, ok := x.(*core.Mem); ok {
			if off, ok := core.MemberOf(m, r); ok {
				return c.member(off, kind{m.Typ, m.Bit}).Ref()
			}
		}
		return nil
	})
}

// member returns the variable that stands for the content of the result, a struct, at an offset,
// read with kind k. Members that overlap are unknowns of their own, which is weaker than the truth.
func (c *Call) member(off int64, k kind) *core.Var {
	return &core.Var{Name: fmt.Sprintf(`\ret+%d:%s`, off, k), Type: k.typ, Kind: core.Temp}
}

// gamma is the environment of Gamma.
func (c *Call) gamma(v *core.Var) *logic.Term {
	switch {
	case v == c.node.Callee.Result: // before formals: the result may be one
		return c.Returned()
	case v.Kind == core.Ghost:
		return c.before.Entering(c.node).Value(v.Init)
	case v.Kind == core.Global:
		return c.tr.Env(v)
	case v.Kind == core.Temp: // a member of the result
		return Sym(c.tr.T, v, "")
	}
	panic("wp: return predicate mentions " + v.Name)
}

// Returned returns the unknown value that the callee returned, before its conversion.
func (c *Call) Returned() *logic.Term {
	typ := c.node.Callee.RetType
	if r := c.node.Callee.Result; r != nil {
		typ = r.Type
	}
	if _, ok := core.Word(typ); !ok { // an external without a usable type
		typ = c.node.Lhs.Type()
	}
	return Sym(c.tr.T, &core.Var{Name: `\ret`, Type: typ}, "")
}

// Store returns WP(lhs := \ret, φ) for φ about the state after the call, with the conversion that
// the store makes. The address of lhs is evaluated before the call.
func (c *Call) Store(phi *logic.Term) *logic.Term {
	if c.node.Lhs == nil {
		return phi
	}
	// 1. The write of \ret, converted, as after the call ...
	e := effect{tr: c.tr, vars: map[*logic.Term]*logic.Term{}}
	var v *logic.Term
	if w, ok := core.Word(c.node.Lhs.Type()); ok {
		if v = c.Returned(); c.node.ResultConv != nil {
			v = c.tr.convert(v, w)
		}
	}
	e.store(c.node.Lhs, v)
	// 2. ... with the address from before the call and, of a struct, with its members.
	if len(e.writes) > 0 {
		a, _, _ := c.before.placeOf(c.node.Lhs)
		switch w := e.writes[0].(type) {
		case *scalar:
			w.addr = a
		case *extent:
			w.addr = a
			w.value = c.members()
		}
	}
	return c.tr.after(phi, e.vars, e.writes)
}

// members returns the content of the bytes of the result, a struct; nil if nothing is known of it.
func (c *Call) members() func(k kind, off, unknown *logic.Term) *logic.Term {
	r := c.node.Callee.Result
	if r == nil || !r.InMemory() {
		return nil
	}
	member := func(off int64, k kind) *logic.Term { return Sym(c.tr.T, c.member(off, k), "") }
	parts := core.PartsOf(c.node.Callee, r)
	return func(k kind, off, unknown *logic.Term) *logic.Term {
		if off.IsConst() && off.Val.IsInt64() {
			return member(off.Val.Int64(), k)
		}
		// A read at an unknown offset is one of the members, if it is at its place.
		v := unknown
		places := elements(parts, k)
		if len(places) > maxElements {
			return unknown
		}
		for _, o := range places {
			v = c.tr.T.Ite(c.tr.T.Eq(off, c.tr.T.Int(o)), member(o, k), v)
		}
		return v
	}
}

// formalIndex returns the index of v among the formals of p, -1 if it is none.
func formalIndex(p *core.Proc, v *core.Var) int {
	for i, f := range p.Formals {
		if f == v {
			return i
		}
	}
	return -1
}
