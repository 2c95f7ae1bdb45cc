package logic

import (
	"fmt"
	"math/big"
	"strings"
)

// This file defines operations on whole terms: substitution, rewriting, printing and evaluation.

// Subst returns f with symbols replaced simultaneously; the result is in normal form again. If x
// and y replace each other, x - y becomes y - x. The weakest precondition of an assignment is a
// substitution.
func (t *Table) Subst(f *Term, by map[*Term]*Term) *Term {
	if len(by) == 0 {
		return f
	}
	return t.subst(f, by, map[*Term]*Term{})
}

// subst is Subst with the results for subterms that were met before.
func (t *Table) subst(f *Term, by, done map[*Term]*Term) *Term {
	if f.Op == OpSym {
		if r := by[f]; r != nil {
			return r
		}
		return f
	}
	if !mentionsAny(f, by) {
		return f
	}
	if r := done[f]; r != nil {
		return r
	}
	args := make([]*Term, len(f.Args))
	for i, a := range f.Args {
		args[i] = t.subst(a, by, done)
	}
	r := t.rebuild(f, args)
	done[f] = r
	return r
}

// mentionsAny reports whether a symbol that is replaced occurs in f.
func mentionsAny(f *Term, by map[*Term]*Term) bool {
	for _, s := range f.syms {
		if by[s] != nil {
			return true
		}
	}
	return false
}

// Rewrite replaces symbols by the terms in by, and each application without a fixed meaning by the
// result of app, which gets it and its arguments, rewritten already. So reads of memory after a
// write become reads before it, inner ones first. Terms of which same is true are left alone, but for the
// symbols in them: app would return each application in them as it is.
func (t *Table) Rewrite(f *Term, by map[*Term]*Term, same func(f *Term) bool, app func(f *Term, args []*Term) *Term) *Term {
	return (&rewriter{t: t, by: by, same: same, app: app}).rewrite(f)
}

// rewriter is one call of Rewrite; done remembers the results for shared subterms.
type rewriter struct {
	t    *Table
	by   map[*Term]*Term
	same func(*Term) bool
	app  func(*Term, []*Term) *Term
	done map[*Term]*Term
}

// rewrite returns f rewritten.
func (r *rewriter) rewrite(f *Term) *Term {
	if f.Op == OpSym {
		if x := r.by[f]; x != nil {
			return x
		}
		return f
	}
	// Nothing to rewrite below.
	if (!f.maps || r.same(f)) && !mentionsAny(f, r.by) {
		return f
	}
	if x := r.done[f]; x != nil {
		return x
	}
	// Rewrite the arguments first, then the term.
	args := make([]*Term, len(f.Args))
	same := true
	for i, a := range f.Args {
		args[i] = r.rewrite(a)
		same = same && args[i] == a
	}
	x := f
	switch {
	case f.Op == OpApp && !HasMeaning(f.Name):
		x = r.app(f, args)
	case !same:
		x = r.t.rebuild(f, args)
	}
	if r.done == nil {
		r.done = map[*Term]*Term{}
	}
	r.done[f] = x
	return x
}

// rebuild returns the term like f with other arguments, in normal form: f has arguments, and an
// atom may become true or false.
func (t *Table) rebuild(f *Term, args []*Term) *Term {
	switch f.Op {
	case OpNot:
		return t.Not(args[0])
	case OpAnd:
		return t.And(args...)
	case OpOr:
		return t.Or(args...)
	case OpLe, OpEq:
		return t.atom(f.Op, args[0])
	case OpSum:
		s := newSum()
		s.val.Set(f.Val)
		for i, a := range args {
			s.add(f.Coef[i], a)
		}
		return s.term(t)
	case OpApp:
		return t.Uninterpreted(f.Name, f.Lo, f.Hi, args...)
	case OpIte:
		return t.Ite(args[0], args[1], args[2])
	case OpDiv:
		return t.Div(args[0], f.Val)
	case OpMod:
		return t.Mod(args[0], f.Val)
	}
	panic(fmt.Sprintf("logic: rebuild of op %d", f.Op))
}

// String prints a term for dumps and tests: (-3 + x) <= 0.
func (f *Term) String() string {
	var b strings.Builder
	f.write(&b)
	return b.String()
}

// write prints f.
func (f *Term) write(b *strings.Builder) {
	list := func(sep string) {
		for i, a := range f.Args {
			if i > 0 {
				b.WriteString(sep)
			}
			a.write(b)
		}
	}
	switch f.Op {
	case OpTrue:
		b.WriteString("true")
	case OpFalse:
		b.WriteString("false")
	case OpNot:
		b.WriteString("!")
		list("")
	case OpAnd:
		b.WriteString("(")
		list(" & ")
		b.WriteString(")")
	case OpOr:
		b.WriteString("(")
		list(" | ")
		b.WriteString(")")
	case OpLe:
		list("")
		b.WriteString(" <= 0")
	case OpEq:
		b.WriteString("(")
		list("")
		b.WriteString(" = 0)")
	case OpSum:
		f.writeSum(b)
	case OpSym:
		b.WriteString(f.Name)
	case OpApp:
		b.WriteString(f.Name + "(")
		list(", ")
		b.WriteString(")")
	case OpIte:
		b.WriteString("ite(")
		list(", ")
		b.WriteString(")")
	case OpDiv, OpMod:
		b.WriteString("(")
		list("")
		fmt.Fprintf(b, " %s %s)", map[Op]string{OpDiv: "div", OpMod: "mod"}[f.Op], f.Val)
	}
}

// writeSum prints a sum, the constant first.
func (f *Term) writeSum(b *strings.Builder) {
	if len(f.Args) == 0 {
		b.WriteString(f.Val.String())
		return
	}
	b.WriteString("(")
	sep := ""
	if f.Val.Sign() != 0 {
		b.WriteString(f.Val.String())
		sep = " + "
	}
	for i, a := range f.Args {
		b.WriteString(sep)
		sep = " + "
		if f.Coef[i].Cmp(one) != 0 {
			b.WriteString(f.Coef[i].String() + "*")
		}
		a.write(b)
	}
	b.WriteString(")")
}

// Eval computes a term under an assignment of its symbols and an interpretation of its functions.
// Truth values are 0 and 1. Of an Ite, a conjunction or a disjunction it evaluates only the
// arguments that decide it.
func (f *Term) Eval(sym func(*Term) *big.Int, app func(name string, args []*big.Int) *big.Int) *big.Int {
	return (&evaluator{sym, app, map[*Term]*big.Int{}}).eval(f)
}

// evaluator is one call of Eval; done remembers the values of shared subterms.
type evaluator struct {
	sym  func(*Term) *big.Int
	app  func(string, []*big.Int) *big.Int
	done map[*Term]*big.Int
}

// eval returns the value of f, computed once.
func (e *evaluator) eval(f *Term) *big.Int {
	if v := e.done[f]; v != nil {
		return v
	}
	v := e.compute(f)
	e.done[f] = v
	return v
}

// compute computes the value of f.
func (e *evaluator) compute(f *Term) *big.Int {
	truth := func(b bool) *big.Int {
		if b {
			return big.NewInt(1)
		}
		return new(big.Int)
	}
	switch f.Op {
	case OpTrue, OpFalse:
		return truth(f.Op == OpTrue)
	case OpNot:
		return truth(e.eval(f.Args[0]).Sign() == 0)
	case OpAnd, OpOr:
		// The first argument that is false, or of a disjunction true, decides.
		for _, a := range f.Args {
			if (e.eval(a).Sign() != 0) == (f.Op == OpOr) {
				return truth(f.Op == OpOr)
			}
		}
		return truth(f.Op == OpAnd)
	case OpLe:
		return truth(e.eval(f.Args[0]).Sign() <= 0)
	case OpEq:
		return truth(e.eval(f.Args[0]).Sign() == 0)
	case OpSum:
		v := new(big.Int).Set(f.Val)
		for i, a := range f.Args {
			v.Add(v, new(big.Int).Mul(f.Coef[i], e.eval(a)))
		}
		return v
	case OpSym:
		return e.sym(f)
	case OpApp:
		args := make([]*big.Int, len(f.Args))
		for i, a := range f.Args {
			args[i] = e.eval(a)
		}
		return e.app(f.Name, args)
	case OpIte:
		if e.eval(f.Args[0]).Sign() != 0 {
			return e.eval(f.Args[1])
		}
		return e.eval(f.Args[2])
	case OpDiv:
		return floorDiv(e.eval(f.Args[0]), f.Val)
	case OpMod:
		return new(big.Int).Mod(e.eval(f.Args[0]), f.Val)
	}
	panic("logic: eval")
}
