package abstract

import (
	"c2bp/frontend/core"
)

// This file adds predicates that users cannot write: conditions often test a temporary that the
// front end made (if (f(x)) tests the result of the call), and predicates can name no temporary.
// For every condition t op e on such a temporary it adds the predicate t op e to the procedure and,
// where the temporary is the result of a procedure with a body and e mentions globals and constants
// alone, \result op e to that procedure; and so on through procedures that return results of
// others. The set is closed before any interface is computed.

// autoPredicates is the computation of the closure.
type autoPredicates struct {
	set     *predSet
	pending []*Predicate
	seen    map[scopeName]bool
	tested  map[*core.Proc]map[*core.Var]bool // testedTemps
	without func(core.Expr) bool              // expressions that need no predicates; nil is none
}

// addAuto adds predicates on temporaries to set, but none of expressions for which without holds.
func addAuto(set *predSet, procs []*core.Proc, without func(core.Expr) bool) {
	a := &autoPredicates{set: set, without: without, seen: map[scopeName]bool{}, tested: map[*core.Proc]map[*core.Var]bool{}}
	// 1. Predicates that conditions test.
	for _, p := range procs {
		tested, assigned := testedTemps(p)
		a.tested[p] = assigned
		for _, n := range p.Nodes {
			for _, atom := range atomsOf(core.Condition(n.Stmt)) {
				if mentionsAny(atom, tested) && size(atom) <= maxAuto || assigned[compared(atom)] {
					a.add(p, atom)
				}
			}
		}
	}
	// 2. Propagate them to the procedures whose results they mention.
	for len(a.pending) > 0 {
		q := a.pending[0]
		a.pending = a.pending[1:]
		a.propagate(q)
	}
}

// maxAuto bounds the size of a condition that becomes a predicate. No other predicate mentions a large
// expression, so that nothing would be known of it, and Z3 would take long to find that out.
const maxAuto = 7

// size returns the number of operators and operands of e; conversions are free.
func size(e core.Expr) int {
	n := 1
	if _, ok := e.(*core.Conv); ok {
		n = 0
	}
	for _, x := range core.Children(e) {
		n += size(x)
	}
	return n
}

// testedTemps returns the temporaries of p worth a predicate: in tested, results of calls and
// values of && and ||, in any condition; in assigned, those and temporaries that are assigned
// simple values, where they are compared with a constant alone. Arbitrary ones are not worth any.
func testedTemps(p *core.Proc) (tested, assigned map[*core.Var]bool) {
	tested, assigned = map[*core.Var]bool{}, map[*core.Var]bool{}
	// 1. Values of && and ||.
	for _, v := range p.Locals {
		if v.Kind == core.Temp && v.Logical {
			tested[v], assigned[v] = true, true
		}
	}
	// 2. Results of calls, and assigned temporaries.
	for _, n := range p.Nodes {
		if v, _ := destination(n.Stmt); v != nil && v.Kind == core.Temp {
			tested[v], assigned[v] = true, true
		}
		if s, ok := n.Stmt.(*core.Assign); ok {
			for i, l := range s.Lhs {
				if v := variable(l); v != nil && v.Kind == core.Temp && isSimple(s.Rhs[i]) {
					assigned[v] = true
				}
			}
		}
	}
	return tested, assigned
}

// isSimple reports whether e is a constant or a variable, perhaps converted, or compares such: an
// expression that other predicates may determine.
func isSimple(e core.Expr) bool {
	if c, ok := e.(*core.Conv); ok {
		return isSimple(c.X)
	}
	if isConstant(e) {
		return true
	}
	if b, ok := e.(*core.Binary); ok && b.Op.IsComparison() {
		return isSimple(b.X) && isSimple(b.Y)
	}
	_, ok := e.(core.Loc)
	return ok
}

// isConstant reports whether e is a number or the null pointer.
func isConstant(e core.Expr) bool {
	if p, ok := e.(*core.ToPtr); ok {
		e = p.X
	}
	_, ok := e.(*core.Const)
	return ok
}

// variable returns the variable that l is, nil for a place in memory.
func variable(l core.Loc) *core.Var {
	if r, ok := l.(*core.VarRef); ok {
		return r.Var
	}
	return nil
}

// compared returns the variable that the atom e tests or compares with a constant, nil if e is
// anything else.
func compared(e core.Expr) *core.Var {
	// 1. Drop the comparison with a constant.
	if b, ok := e.(*core.Binary); ok && b.Op.IsComparison() {
		if isConstant(b.Y) {
			e = b.X
		}
	}
	if !isSimple(e) {
		return nil
	}
	// 2. Look through conversions.
	for {
		switch x := e.(type) {
		case *core.Conv:
			e = x.X
		case *core.VarRef:
			return x.Var
		default:
			return nil
		}
	}
}

// destination returns the variable in which a call stores its result, and the call.
func destination(s core.Stmt) (*core.Var, *core.Call) {
	c, ok := s.(*core.Call)
	if !ok || c.Lhs == nil {
		return nil, nil
	}
	if _, ok := core.Word(c.Lhs.Type()); !ok {
		return nil, nil
	}
	return variable(c.Lhs), c
}

// atomsOf returns the comparisons and plain values that a condition is made of.
func atomsOf(e core.Expr) []core.Expr {
	switch e := e.(type) {
	case nil:
		return nil
	case *core.Unary:
		if e.Op == core.Not {
			return atomsOf(e.X)
		}
	case *core.Binary:
		if e.Op.IsLogical() {
			return append(atomsOf(e.X), atomsOf(e.Y)...)
		}
	}
	return []core.Expr{e}
}

// mentionsAny reports whether e mentions a variable in set.
func mentionsAny(e core.Expr, set map[*core.Var]bool) bool {
	return core.Mentions(e, func(v *core.Var) bool { return set[v] })
}

// add adds e as a predicate of p, once.
func (a *autoPredicates) add(p *core.Proc, e core.Expr) {
	// 1. A plain value becomes a comparison with 0.
	if b, ok := e.(*core.Binary); !ok || !b.Op.IsComparison() {
		switch t := e.Type().(type) {
		case core.Int:
			e = &core.Binary{Op: core.Ne, X: e, Y: core.NewConst(0, t)}
		case core.Ptr:
			e = &core.Binary{Op: core.Ne, X: e, Y: core.Null(t)}
		default:
			return
		}
	}
	if a.without != nil && a.without(e) {
		return
	}
	// 2. Add it once, and propagate it later.
	key := scopeName{p, core.ExprString(e)}
	if a.seen[key] {
		return
	}
	a.seen[key] = true
	q := NewPredicate(p, e, core.CString(e))
	q.Auto = true
	a.set.add(q)
	a.pending = append(a.pending, q)
}

// propagate adds, to the procedures whose results q mentions, the predicates that q implies about
// these results.
//
//	if (f(x) == 0)            $0 == 0 in the caller, where $0 := f(x)
//	int f(int n) { … }        \result == 0 in f
//	int f(int n) { return g(n); }     $1 == 0 in f, and \result == 0 in g
func (a *autoPredicates) propagate(q *Predicate) {
	tested := a.tested[q.Proc]
	for _, n := range q.Proc.Nodes {
		// A call: q says of the destination what holds of the callee's result.
		if dest, c := destination(n.Stmt); dest != nil {
			a.intoCallee(q, dest, c)
		}
		s, ok := n.Stmt.(*core.Assign)
		if !ok {
			continue
		}
		for i, l := range s.Lhs {
			// l := t with l the result or a temporary: q says of l what it says of t.
			r := variable(l)
			t := copied(s.Rhs[i])
			if r != nil && (r == q.Proc.Result || r.Kind == core.Temp) && t != nil && tested[t] && occurs(q, r) {
				a.add(q.Proc, replace(q.Expr, r, s.Rhs[i]))
			}
		}
	}
}

// intoCallee adds q to the callee of c, with its result for the destination.
func (a *autoPredicates) intoCallee(q *Predicate, dest *core.Var, c *core.Call) {
	if !c.Callee.HasBody() || c.Callee.Result == nil || !occurs(q, dest) {
		return
	}
	// The callee knows globals and its result alone.
	for _, v := range q.vars {
		if v != dest && v.Kind != core.Global {
			return
		}
	}
	var result core.Expr = c.Callee.Result.Ref()
	if c.ResultConv != nil {
		result = converted(result, *c.ResultConv)
	}
	a.add(c.Callee, replace(q.Expr, dest, result))
}

// occurs reports whether q mentions v.
func occurs(q *Predicate, v *core.Var) bool {
	return q.mentions(func(u *core.Var) bool { return u == v })
}

// copied returns the variable whose value e has, unless a conversion changes it; nil if e is
// anything else.
func copied(e core.Expr) *core.Var {
	switch e := e.(type) {
	case *core.VarRef:
		return e.Var
	case *core.Conv:
		if from, ok := e.X.Type().(core.Int); ok && e.To.Holds(from) {
			return copied(e.X)
		}
	}
	return nil
}

// replace returns e with by substituted for v.
func replace(e core.Expr, v *core.Var, by core.Expr) core.Expr {
	switch e := e.(type) {
	case *core.VarRef:
		if e.Var == v {
			return by
		}
		return e
	case *core.Conv:
		return converted(replace(e.X, v, by), e.To)
	}
	operands := core.Children(e)
	for i, x := range operands {
		operands[i] = replace(x, v, by)
	}
	return core.WithChildren(e, operands)
}

// converted returns x converted to t, without conversions in x that make no difference. So chains
// of conversions stay short: procedures of different types that return each other's results would
// otherwise make ever longer predicates.
func converted(x core.Expr, t core.Int) core.Expr {
	if x.Type() == core.Type(t) {
		return x
	}
	c, ok := x.(*core.Conv)
	if !ok {
		return &core.Conv{X: x, To: t}
	}
	from, ok := c.X.Type().(core.Int)
	// The inner conversion can be dropped if it keeps the value, or all bits that are left.
	keepsValue := ok && c.To.Holds(from)
	keepsBits := !t.Bool && !c.To.Bool && t.Bits <= c.To.Bits
	if keepsValue || keepsBits {
		return converted(c.X, t)
	}
	return &core.Conv{X: x, To: t}
}
