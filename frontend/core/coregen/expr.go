package coregen

import (
	"math/big"

	"c2bp/frontend/core"
)

// This file makes expressions.

// intType returns an integer type, mostly int.
func (g *generator) intType() core.Int {
	if g.config.Simple || g.chance(2) {
		return core.Int32
	}
	return pick(g, []core.Int{
		core.Uint32, core.Uint32, core.Int8, core.Uint8, core.Uint8, core.Int16, core.Uint16,
		core.Int64, core.Uint64, core.Bool, {Bits: 3}, {Bits: 5, Signed: true},
	})
}

// constant returns a value of t: mostly a favourite, sometimes at the end of the type.
func (g *generator) constant(t core.Int) *core.Const {
	v := big.NewInt(pick(g, g.constants))
	// Mostly a favourite as it is; in some cases an end of the type, a neighbour of a
	// favourite, or a larger number.
	switch n := g.rng.IntN(24); {
	case n == 0:
		v = t.Min()
	case n == 1:
		v = t.Max()
	case n < 6:
		v.Add(v, big.NewInt(g.rng.Int64N(3)-1))
	case n == 6:
		v.SetInt64(g.rng.Int64N(400) - 100)
	}
	return &core.Const{Val: t.Convert(v), Typ: t}
}

// terms makes expressions over given variables, which are of integer type.
type terms struct {
	*generator
	vars []*core.Var
	rich bool // predicates: products, bit operations, ?: and partial operations in && are likely

	places   func(core.Int) core.Expr // finds an integer in memory, of that type if possible; nil, or may return nil
	pointers func() core.Expr         // makes a condition on pointers; nil, or may return nil
}

// variable returns one of the variables, of type t if possible and likely.
func (e terms) variable(t core.Int) *core.Var {
	for range 3 {
		if v := pick(e.generator, e.vars); v.Type == core.Type(t) {
			return v
		}
	}
	return pick(e.generator, e.vars)
}

// leaf returns a constant, a variable or a place in memory, converted to t.
func (e terms) leaf(t core.Int) core.Expr {
	if e.places != nil && e.chance(2) {
		if x := e.places(t); x != nil {
			return convert(x, t)
		}
	}
	if len(e.vars) == 0 || e.chance(3) {
		return e.constant(t)
	}
	return convert(e.variable(t).Ref(), t)
}

// convert returns x, converted unless it is of type t.
func convert(x core.Expr, t core.Int) core.Expr {
	if x.Type() == core.Type(t) {
		return x
	}
	if c, ok := x.(*core.Const); ok {
		return &core.Const{Val: t.Convert(c.Val), Typ: t}
	}
	return &core.Conv{X: x, To: t}
}

// expr returns an expression of type t with at most depth operators above each leaf.
func (e terms) expr(t core.Int, depth int) core.Expr {
	if depth == 0 || e.chance(3) {
		return e.leaf(t)
	}
	// 1. Types narrower than int, as C computes them: in int, then converted.
	if t.Bool || t.Bits < 32 && !e.chance(8) { // C computes in int at least
		// A condition, or an int that the conversion compares with 0.
		if t.Bool && e.chance(2) {
			return convert(e.cond(depth-1), t)
		}
		return convert(e.expr(core.Int32, depth), t)
	}
	// 2. Conversions and rare operators.
	if !e.config.Simple && e.chance(6) { // a detour through another type
		return convert(e.expr(e.intType(), depth-1), t)
	}
	if !e.config.Simple && (e.chance(8) || e.rich && e.chance(4)) {
		return e.rare(t, depth)
	}
	// 3. Sums and differences, often with a constant.
	op := pick(e.generator, []core.BinaryOp{core.Add, core.Add, core.Sub})
	if e.chance(2) {
		return &core.Binary{Op: op, X: e.leaf(t), Y: e.constant(t)}
	}
	return &core.Binary{Op: op, X: e.expr(t, depth-1), Y: e.expr(t, depth-1)}
}

// rare returns an expression with one of the less frequent operators: a constant operand mostly
// keeps it defined; with two operands that vary, x / y and x << y may be undefined, and the run
// ends there.
func (e terms) rare(t core.Int, depth int) core.Expr {
	x := e.expr(t, depth-1)
	// small is a constant in [from, from+n).
	small := func(from, n int64) core.Expr {
		return &core.Const{Val: t.Convert(big.NewInt(from + e.rng.Int64N(n))), Typ: t}
	}
	bin := func(op core.BinaryOp, y core.Expr) core.Expr { return &core.Binary{Op: op, X: x, Y: y} }
	switch e.rng.IntN(9) {
	case 0:
		return &core.Unary{Op: core.Neg, X: x}
	case 1:
		return &core.Unary{Op: core.BitNot, X: x}
	case 2:
		return bin(core.Mul, small(-1, 5))
	case 3:
		return bin(pick(e.generator, []core.BinaryOp{core.Div, core.Rem}), small(2, 4))
	case 4:
		return bin(pick(e.generator, []core.BinaryOp{core.Shl, core.Shr}), core.NewConst(e.rng.Int64N(4), core.Int32))
	case 5:
		return bin(pick(e.generator, []core.BinaryOp{core.And, core.Or, core.Xor}), small(0, 8))
	case 6: // both operands vary; possibly undefined
		ops := []core.BinaryOp{core.Mul, core.Div, core.Rem, core.And, core.Or, core.Xor}
		return bin(pick(e.generator, ops), e.expr(t, depth-1))
	case 7:
		return bin(pick(e.generator, []core.BinaryOp{core.Shl, core.Shr}), e.leaf(e.intTypeNoBool()))
	}
	if e.rich {
		return &core.Cond{C: e.cond(depth - 1), X: x, Y: e.expr(t, depth-1)}
	}
	return convert(e.cond(depth-1), t)
}

// intTypeNoBool returns an integer type other than bool.
func (g *generator) intTypeNoBool() core.Int {
	for {
		if t := g.intType(); !t.Bool {
			return t
		}
	}
}

// cond returns a condition: an int32, mostly a comparison.
func (e terms) cond(depth int) core.Expr {
	if e.pointers != nil && e.chance(3) {
		if x := e.pointers(); x != nil {
			return x
		}
	}
	switch n := e.rng.IntN(12); {
	case n == 0 && len(e.vars) > 0:
		return &core.Unary{Op: core.Not, X: e.variable(core.Bool).Ref()}
	case n == 1 && depth > 0:
		return e.logical(depth)
	case n == 2 && depth > 0:
		return &core.Unary{Op: core.Not, X: e.cond(depth - 1)}
	}
	// A comparison of an expression with variables, if possible, and a constant or another
	// expression.
	ops := []core.BinaryOp{core.Eq, core.Eq, core.Ne, core.Lt, core.Le, core.Gt, core.Ge}
	x := e.expr(e.comparedType(), depth)
	// Repeat a few times if x came out as a constant: the comparison would not depend on the
	// state.
	for range 3 {
		if core.Mentions(x, func(*core.Var) bool { return true }) {
			break
		}
		x = e.expr(e.comparedType(), depth)
	}
	// Both sides have one type, as after C's conversions.
	t := x.Type().(core.Int)
	y := core.Expr(e.constant(t))
	if e.chance(2) {
		y = e.expr(t, min(depth, 1))
	}
	return &core.Binary{Op: pick(e.generator, ops), X: x, Y: y}
}

// comparedType returns the type that C compares some variable in.
func (e terms) comparedType() core.Int {
	// Now and then any type.
	if len(e.vars) == 0 || e.chance(8) {
		return e.intTypeNoBool()
	}
	t := pick(e.generator, e.vars).Type.(core.Int)
	if t.Bool || t.Bits < 32 && !e.chance(6) {
		return core.Int32
	}
	return t
}

// logical joins two conditions. In a node their operands must be defined for all
// values; so there they are comparisons of leaves.
func (e terms) logical(depth int) core.Expr {
	op := pick(e.generator, []core.BinaryOp{core.LAnd, core.LOr})
	if !e.rich {
		// At depth 0 the operands have no operators that could be undefined.
		depth = 1
		e.places, e.pointers = nil, nil
	}
	return &core.Binary{Op: op, X: e.cond(depth - 1), Y: e.cond(depth - 1)}
}
