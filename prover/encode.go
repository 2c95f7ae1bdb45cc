package prover

import (
	"fmt"
	"math/big"
	"runtime"
	"time"

	"github.com/aclements/go-z3/z3"

	"c2bp/logic"
)

// This file encodes terms as Z3 expressions, and collects the facts that belong to them.

// encoder holds a Z3 context with its one solver and the expressions made in it.
//
// All expressions are kept in its maps: package z3 releases an expression as soon as Go sees no
// reference to it, even while it is an argument of a call.
type encoder struct {
	ctx      *z3.Context
	solver   *z3.Solver
	intSort  z3.Sort
	zero     z3.Int
	terms    map[logic.Hash]z3.Value
	truths   map[logic.Hash]z3.Bool // symbols that are truth values
	funcs    map[string]z3.FuncDecl
	literals map[logic.Hash]*literal
	facts    map[logic.Hash]*fact // by symbol or application
	disjoint map[[2]logic.Hash]*fact
	floats   *floats // if operations are in Z3's theory of floating point; nil if they are functions with facts in linear arithmetic
}

// literal is a formula with all that a query about it needs: its expression, and the facts about
// its symbols and applications.
type literal struct {
	value     z3.Bool
	facts     []*fact
	syms      []*logic.Term
	apps      []*logic.Term // arguments before applications
	equations []bitEquation // if floating-point operations occur
}

// fact is the knowledge about one symbol or application: its range and axioms.
//
// Facts are asserted with each query that mentions their symbol. Asserted once for all below the
// first push they would make each query 15 % cheaper as long as the worker has seen few symbols,
// but no cheaper after 400 and 1.6 times dearer after 1600: a worker sees a whole program.
type fact struct {
	value z3.Bool
	stamp int64 // Prover.stamp of the last query that asserted it
}

// queryLimit bounds the work of one query, in Z3's own count of steps, of which it makes one to ten
// million a second. Ordinary queries need some thousands; queries that Z3 has not decided by then
// (systems of several mod with large moduli) it often never decides. A count, unlike a time, is the
// same on every machine.
const queryLimit = 300_000

// queryTime bounds a query where Z3 counts no steps: it can spend hours in its arithmetic of huge
// numbers. It is so long that it decides nothing else. It is enforced by an interrupt: for a
// timeout of its own, Z3 wakes a thread at every check and waits for it at the end, which takes
// longer than most checks.
const queryTime = time.Minute

// newEncoder returns an encoder with a new context, where a query may take limit steps; 0 is
// without limit.
func newEncoder(limit uint) *encoder {
	cfg := z3.NewContextConfig().SetUint("rlimit", limit)
	ctx := z3.NewContext(cfg)
	sort := ctx.IntSort()
	solver := z3.NewSolver(ctx)
	setParameters(ctx, solver)
	z := &encoder{ctx: ctx, solver: solver, intSort: sort, zero: ctx.FromInt(0, sort).(z3.Int)}
	z.reset()
	return z
}

// reset forgets all expressions.
func (z *encoder) reset() {
	z.terms = map[logic.Hash]z3.Value{}
	z.truths = map[logic.Hash]z3.Bool{}
	z.funcs = map[string]z3.FuncDecl{}
	z.literals = map[logic.Hash]*literal{}
	z.facts = map[logic.Hash]*fact{}
	z.disjoint = map[[2]logic.Hash]*fact{}
	if z.floats != nil {
		z.floats = newFloats(z)
	}
}

// maxTerms bounds the expressions kept.
const maxTerms = 1 << 18

// trim forgets the expressions if there are many. It may be called between queries only.
func (z *encoder) trim() {
	if len(z.terms) > maxTerms {
		z.reset()
	}
}

// literal returns the Z3 expression of a formula with its facts.
func (z *encoder) literal(f *logic.Term, t *logic.Table) *literal {
	if l := z.literals[f.Hash()]; l != nil {
		return l
	}
	l := &literal{value: z.bool(f), syms: f.Syms()}
	z.literals[f.Hash()] = l
	// Collect the facts: ranges of symbols, axioms of applications.
	for _, s := range l.syms {
		if (s.Lo != nil || s.Hi != nil) && !isTruth(s) {
			l.facts = append(l.facts, z.fact(s, t))
		}
	}
	// Only the theory of floating point uses the equations.
	if f.HasFloats() {
		l.equations = bitEquations(f, t)
	}
	for _, a := range f.Applications() {
		// A quotient or remainder has a fact, its definition, but is no application to be
		// read from models.
		if a.Op == logic.OpApp {
			l.apps = append(l.apps, a)
		}
		if a := z.fact(a, t); a != nil {
			l.facts = append(l.facts, a)
		}
	}
	return l
}

// fact returns the facts about a symbol or application, nil if there are none.
func (z *encoder) fact(s *logic.Term, t *logic.Table) *fact {
	if f, ok := z.facts[s.Hash()]; ok {
		return f
	}
	// 1. The range.
	var known []z3.Bool
	if s.Lo != nil {
		known = append(known, z.int(s).GE(z.number(s.Lo)))
	}
	if s.Hi != nil {
		known = append(known, z.int(s).LE(z.number(s.Hi)))
	}
	// 2. The meaning of a quotient or remainder, and the axioms of an application.
	switch s.Op {
	case logic.OpDiv, logic.OpMod:
		known = append(known, z.division(s, t))
	case logic.OpApp:
		for _, f := range t.Axioms(s) {
			if f != t.True {
				known = append(known, z.bool(f))
			}
		}
		if op, width, ok := s.Float(); ok && z.floats != nil {
			if f, ok := z.floats.fact(s, op, width); ok {
				known = append(known, f)
			}
		}
	}
	// 3. The conjunction of all.
	var f *fact
	if len(known) > 0 {
		f = &fact{value: known[0].And(known[1:]...)}
		// Z3's expressions live as long as Go sees them: see encoder.
		runtime.KeepAlive(known)
	}
	z.facts[s.Hash()] = f
	return f
}

// apart returns the facts that the objects whose addresses occur in a query do not overlap, one for
// each pair but those that the conjuncts asked about put at numbers that are apart.
func (z *encoder) apart(lits []*literal, conjuncts []*logic.Term, t *logic.Table) []*fact {
	fixed := fixedAddresses(conjuncts)
	// 1. Collect the addresses, each once.
	var addresses []*logic.Term
	seen := map[logic.Hash]bool{}
	for _, l := range lits {
		for _, s := range l.syms {
			if s.IsAddress() && !seen[s.Hash()] {
				seen[s.Hash()] = true
				addresses = append(addresses, s)
			}
		}
	}
	// 2. Make a fact for each pair, or take the one made before.
	var facts []*fact
	for i, a := range addresses {
		for _, b := range addresses[:i] {
			if v, w := fixed[a.Hash()], fixed[b.Hash()]; v != nil && w != nil && (endsBefore(a, v, w) || endsBefore(b, w, v)) {
				continue
			}
			// Another query may have the pair in the other order, and make its fact
			// again.
			key := [2]logic.Hash{a.Hash(), b.Hash()}
			f := z.disjoint[key]
			if f == nil {
				f = &fact{value: z.bool(t.Disjoint(a, b))}
				z.disjoint[key] = f
			}
			facts = append(facts, f)
		}
	}
	return facts
}

// fixedAddresses returns the numbers of the addresses that formulas are equations of, with a number.
func fixedAddresses(fs []*logic.Term) map[logic.Hash]*big.Int {
	fixed := map[logic.Hash]*big.Int{}
	for _, f := range fs {
		if f.Op != logic.OpEq {
			continue
		}
		// a = 4096 is the equation 1*a - 4096 = 0.
		sum := f.Args[0]
		if sum.Op == logic.OpSum && len(sum.Args) == 1 && sum.Args[0].IsAddress() && sum.Coef[0].Cmp(big.NewInt(1)) == 0 {
			fixed[sum.Args[0].Hash()] = new(big.Int).Neg(sum.Val)
		}
	}
	return fixed
}

// endsBefore reports whether the object at address a, which is at number v, ends before number w.
func endsBefore(a *logic.Term, v, w *big.Int) bool {
	return new(big.Int).Add(v, a.Val).Cmp(w) <= 0
}

// division defines a quotient or remainder by a constant: x = k*q + r with 0 <= r < k, and q in the
// range that x allows. Z3's own div and mod leave q without bounds, and its search among all
// integers sometimes has no end.
func (z *encoder) division(s *logic.Term, t *logic.Table) z3.Bool {
	// q is the quotient, as an unknown of its own; rest is x - k*q.
	x, k := z.int(s.Args[0]), z.number(s.Val)
	quotient := t.Div(s.Args[0], s.Val)
	q := z.int(quotient)
	kq := k.Mul(q)
	rest := x.Sub(kq)
	known := []z3.Bool{rest.GE(z.zero), rest.LT(k)}
	if quotient.Lo != nil {
		known = append(known, q.GE(z.number(quotient.Lo)))
	}
	if quotient.Hi != nil {
		known = append(known, q.LE(z.number(quotient.Hi)))
	}
	// A quotient is q itself.
	if s.Op == logic.OpMod {
		known = append(known, z.int(s).Eq(rest))
	}
	defer runtime.KeepAlive([]any{x, k, q, kq, rest, known})
	return known[0].And(known[1:]...)
}

// bool returns the expression of a formula, and int that of an integer term.
func (z *encoder) bool(f *logic.Term) z3.Bool { return z.term(f).(z3.Bool) }
func (z *encoder) int(f *logic.Term) z3.Int   { return z.term(f).(z3.Int) }

// term returns the expression of f, made once.
func (z *encoder) term(f *logic.Term) z3.Value {
	if v, ok := z.terms[f.Hash()]; ok {
		return v
	}
	v := z.make(f)
	z.terms[f.Hash()] = v
	return v
}

// make makes the expression of f.
func (z *encoder) make(f *logic.Term) z3.Value {
	switch f.Op {
	case logic.OpTrue, logic.OpFalse:
		return z.ctx.FromBool(f.Op == logic.OpTrue)
	case logic.OpNot:
		return z.bool(f.Args[0]).Not()
	case logic.OpAnd, logic.OpOr:
		return z.junction(f)
	case logic.OpLe, logic.OpEq:
		return z.atom(f)
	case logic.OpSum:
		return z.sum(f, f.Val)
	case logic.OpSym:
		// Symbols of one name and different ranges differ, and the hash tells.
		if isTruth(f) {
			return z.truth(f).IfThenElse(z.number(big.NewInt(1)), z.zero)
		}
		return z.ctx.Const(fmt.Sprintf("%s!%x", f.Name, f.Hash()), z.intSort)
	case logic.OpApp:
		return z.apply(f)
	case logic.OpIte:
		return z.bool(f.Args[0]).IfThenElse(z.int(f.Args[1]), z.int(f.Args[2]))
	case logic.OpDiv, logic.OpMod: // an unknown, defined by its fact
		return z.ctx.Const(fmt.Sprintf("div!%x", f.Hash()), z.intSort)
	}
	panic(fmt.Errorf("prover: no encoding of op %d", f.Op))
}

// isTruth reports whether s is a truth value, 0 or 1.
func isTruth(s *logic.Term) bool {
	return s.Op == logic.OpSym && !s.IsAddress() && s.Lo != nil && s.Hi != nil && s.Lo.Sign() == 0 && s.Hi.IsInt64() && s.Hi.Int64() == 1
}

// truth returns the proposition that a truth value is 1.
func (z *encoder) truth(s *logic.Term) z3.Bool {
	if b, ok := z.truths[s.Hash()]; ok {
		return b
	}
	b := z.ctx.Const(fmt.Sprintf("%s!%x", s.Name, s.Hash()), z.ctx.BoolSort()).(z3.Bool)
	z.truths[s.Hash()] = b
	return b
}

// truthIn returns the truth value of which the atom f says that it is 1, or that it is 0; ok is false if f is no such atom.
func truthIn(f *logic.Term) (s *logic.Term, is, ok bool) {
	s = f.Args[0]
	if isTruth(s) { // s <= 0, s = 0
		return s, false, true
	}
	if s.Op != logic.OpSum || len(s.Args) != 1 || !isTruth(s.Args[0]) || !s.Coef[0].IsInt64() || !s.Val.IsInt64() {
		return nil, false, false
	}
	// Of the values of the sum at 0 and at 1 one makes it true.
	holds := func(n int64) bool { return n == 0 || f.Op == logic.OpLe && n < 0 }
	at0, at1 := holds(s.Val.Int64()), holds(s.Val.Int64()+s.Coef[0].Int64())
	return s.Args[0], at1, at0 != at1
}

// junction makes a conjunction or disjunction.
func (z *encoder) junction(f *logic.Term) z3.Value {
	args := make([]z3.Bool, len(f.Args))
	for i, a := range f.Args {
		args[i] = z.bool(a)
	}
	// The arguments must be alive until And or Or has returned.
	defer runtime.KeepAlive(args)
	if f.Op == logic.OpAnd {
		return args[0].And(args[1:]...)
	}
	return args[0].Or(args[1:]...)
}

// atom makes a comparison, with the constant of a sum on the right-hand side: of
// -3 + x <= 0 it makes x <= 3.
func (z *encoder) atom(f *logic.Term) z3.Value {
	if b, is, ok := truthIn(f); ok {
		if is {
			return z.truth(b)
		}
		return z.truth(b).Not()
	}
	s, left, right := f.Args[0], z3.Int{}, z.zero
	if s.Op == logic.OpSum {
		left = z.sum(s, nil)
		right = z.number(new(big.Int).Neg(s.Val))
	} else {
		left = z.int(s)
	}
	if f.Op == logic.OpLe {
		return left.LE(right)
	}
	return left.Eq(right)
}

// sum makes constant + Σ Coef*Args; a nil constant is 0.
func (z *encoder) sum(f *logic.Term, constant *big.Int) z3.Int {
	var parts []z3.Int
	if constant != nil && (constant.Sign() != 0 || len(f.Args) == 0) {
		parts = append(parts, z.number(constant))
	}
	var factors []z3.Int // kept alive; not in parts, which may be reallocated
	// A factor 1 is left out.
	for i, a := range f.Args {
		v := z.int(a)
		if c := f.Coef[i]; !c.IsInt64() || c.Int64() != 1 {
			k := z.number(c)
			factors = append(factors, k)
			v = k.Mul(v)
		}
		parts = append(parts, v)
	}
	defer runtime.KeepAlive(factors)
	defer runtime.KeepAlive(parts)
	if len(parts) == 1 {
		return parts[0]
	}
	return parts[0].Add(parts[1:]...)
}

// apply makes an application.
func (z *encoder) apply(f *logic.Term) z3.Value {
	args := make([]z3.Value, len(f.Args))
	for i, a := range f.Args {
		args[i] = z.int(a)
	}
	defer runtime.KeepAlive(args)
	return z.function(f).Apply(args...)
}

// function returns the declaration of the function of an application. It is identified by its name
// and number of arguments; ranges are facts about single applications.
func (z *encoder) function(f *logic.Term) z3.FuncDecl {
	name := fmt.Sprintf("%s/%d", f.Name, len(f.Args))
	fn, ok := z.funcs[name]
	if !ok {
		domain := make([]z3.Sort, len(f.Args))
		for i := range domain {
			domain[i] = z.intSort
		}
		fn = z.ctx.FuncDecl(name, domain, z.intSort)
		z.funcs[name] = fn
	}
	return fn
}

// number makes an integer constant of any size.
func (z *encoder) number(v *big.Int) z3.Int {
	if v.IsInt64() {
		return z.ctx.FromInt(v.Int64(), z.intSort).(z3.Int)
	}
	return z.ctx.FromBigInt(v, z.intSort).(z3.Int)
}
