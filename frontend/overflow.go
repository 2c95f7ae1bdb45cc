package frontend

import (
	"math/big"
	"regexp"
	"strings"

	"modernc.org/cc/v4"

	"c2bp/frontend/ccfix"
	"c2bp/frontend/core"
	"c2bp/frontend/ctree"
)

// This file gives meaning to the compiler's functions that report overflow, such as
//
//	__builtin_add_overflow(a, b, &r)       r = a + b modulo the width of r; whether that is not a + b
//	__builtin_saddl_overflow(a, b, &r)     the same for one type of a, b and r: here long
//	__builtin_add_overflow_p(a, b, (T)0)   whether a + b is no value of type T
//
// where a + b is the mathematical sum. No core type holds all sums, so the exact result is computed
//
//   - in 64 bits, where all results of operands of these types are numbers of 64 bits;
//   - else as its sign and its absolute value, in 64 bits and a carry.

// overflowFunction is an operation, and the types of the operands and of the result.
type overflowFunction struct {
	op   core.BinaryOp
	typ  string // s or u; "" for the types of the arguments
	size string // of typ: l, ll, or "" for that of int
	only bool   // there is no place for the result
}

var overflowName = regexp.MustCompile(`^__builtin_([su]?)(add|sub|mul)(l?l?)_overflow(_p)?$`)

// overflowFunctionOf returns the function of that name, nil if there is none.
// __builtin_sadd_overflow names its type, signed int, and __builtin_add_overflow takes it from r.
// Only the latter has a form with _p.
func overflowFunctionOf(name string) *overflowFunction {
	if !strings.HasPrefix(name, "__builtin_") {
		return nil
	}
	m := overflowName.FindStringSubmatch(name)
	if m == nil || m[1] == "" && m[3] != "" || m[1] != "" && m[4] != "" {
		return nil
	}
	op := map[string]core.BinaryOp{"add": core.Add, "sub": core.Sub, "mul": core.Mul}[m[2]]
	return &overflowFunction{op: op, typ: m[1], size: m[3], only: m[4] != ""}
}

// overflowCall lowers a call of f. It reports false if the arguments do not fit the function, or if
// the type of one is not represented. If it reports false, nothing was emitted.
func (b *functionLowerer) overflowCall(e *cc.PostfixExpression, f *function, dst core.Loc) bool {
	m := overflowFunctionOf(f.name)
	args := ctree.Arguments(e)
	if len(args) != 3 {
		return false
	}
	// 1. The types: of the result, and of the operands.
	t, ok := b.overflowType(m, args[2])
	u, ok1 := b.typeOf(args[0])
	v, ok2 := b.typeOf(args[1])
	if !ok || !ok1 || !ok2 {
		return false
	}
	if m.typ != "" {
		u, v = t, t
	}
	// 2. The operands, and the place of the result.
	b.checkOrderOf(e, nodes(args)...)
	x := b.argument(args[0], u, nodes(args[1:]))
	y := b.argument(args[1], v, nodes(args[2:]))
	var to core.Loc
	switch elem := ccfix.PointedTo(args[2]); {
	case m.only:
		b.effect(args[2])
	default:
		b.assumeAccess()
		to = b.at(b.argument(args[2], b.pointer(), nil), elem, false, 0).loc()
	}
	// 3. The result modulo its width, then whether it is exact.
	b.withResult(core.Bool, nil, dst, f.name, func(dst core.Loc) {
		c := &exactly{b, m.op, b.once(x), b.once(y), t, dst}
		if dst != nil {
			c.dst = b.stable(dst)
		}
		if to != nil {
			to = b.stable(to)
			b.assign(to, c.wrapped())
		}
		if dst != nil {
			c.overflow()
		}
	})
	return true
}

// overflowType returns the type of m's result, which the third argument r has or points to. ok is
// false for a _Bool, and if the pointer does not fit the type that the function names.
func (l *typing) overflowType(m *overflowFunction, r cc.ExpressionNode) (t core.Int, ok bool) {
	var elem cc.Type
	// 1. The type of the number, or of the pointee, that the third argument has.
	if m.only {
		t, ok = l.typeOf(r)
	} else if elem = ccfix.PointedTo(r); elem != nil {
		t, ok = ctree.IntType(elem)
	}
	// 2. A function that names its type requires just this one.
	if m.typ != "" {
		named := core.Int{Bits: map[string]int{"": 32, "l": l.pointer().Bits, "ll": 64}[m.size], Signed: m.typ == "s"}
		ok = ok && t == named
	}
	return t, ok && !t.Bool
}

// exactly is an operation on mathematical integers, and the type of its result.
type exactly struct {
	*functionLowerer
	op   core.BinaryOp
	x, y core.Expr // constants or temporaries
	t    core.Int  // type of the result
	dst  core.Loc  // of type _Bool: whether the result does not fit
}

// wrapped returns the result modulo the width of its type. uint64 wraps without overflow, and all
// narrower results are its lowest bits.
func (c *exactly) wrapped() core.Expr {
	if w, ok := c.room(); ok {
		return convert(c.in(w), c.t)
	}
	return convert(c.in(core.Uint64), c.t)
}

// in returns the operation in the type w.
func (c *exactly) in(w core.Int) core.Expr {
	return binary(c.op, convert(c.x, w), convert(c.y, w))
}

// room returns a type of 64 bits that holds the results for all operands of their types.
//
//	int + unsigned      int64 holds all sums
//	unsigned * unsigned uint64
//	long + long         none
func (c *exactly) room() (core.Int, bool) {
	t, u := c.x.Type().(core.Int), c.y.Type().(core.Int)
	for _, w := range []core.Int{core.Int64, core.Uint64} {
		fits := w.Holds(t) && w.Holds(u)
		// The extremes are at the corners.
		for _, a := range []*big.Int{t.Min(), t.Max()} {
			for _, b := range []*big.Int{u.Min(), u.Max()} {
				fits = fits && w.Contains(exact(c.op, a, b))
			}
		}
		if fits {
			return w, true
		}
	}
	return core.Int{}, false
}

// exact returns a op b.
func exact(op core.BinaryOp, a, b *big.Int) *big.Int {
	z := new(big.Int)
	switch op {
	case core.Add:
		return z.Add(a, b)
	case core.Sub:
		return z.Sub(a, b)
	}
	return z.Mul(a, b)
}

// overflow stores in dst whether the result does not fit.
func (c *exactly) overflow() {
	t, u := c.x.Type().(core.Int), c.y.Type().(core.Int)
	// By the types: in 64 bits, by a comparison with an operand, or by sign and absolute value.
	w, ok := c.room()
	switch {
	case ok:
		c.give(c.outside(c.once(c.in(w))))
	case c.t == core.Int64 && c.t.Holds(t) && c.t.Holds(u) && c.op != core.Mul:
		c.overflow64()
	// An unsigned sum has wrapped if it is less than an operand.
	case c.t == core.Uint64 && c.t.Holds(t) && c.t.Holds(u) && c.op == core.Add:
		c.give(binary(core.Lt, c.in(c.t), convert(c.x, c.t)))
	// A difference is negative if x < y.
	case c.t == core.Uint64 && c.t.Holds(t) && c.t.Holds(u) && c.op == core.Sub:
		c.give(binary(core.Lt, convert(c.x, c.t), convert(c.y, c.t)))
	default:
		c.bySign(c.x, func(negative bool, x core.Expr) {
			c.bySign(c.y, func(other bool, y core.Expr) {
				if c.op == core.Mul {
					c.product(negative != other, x, y)
				} else {
					c.total(negative, x, other != (c.op == core.Sub), y)
				}
			})
		})
	}
}

// give stores the condition x in dst.
func (c *exactly) give(x core.Expr) { c.assign(c.dst, convert(x, core.Bool)) }

// outside returns the condition that the number w, of 64 bits, is no value of c.t.
func (c *exactly) outside(w core.Expr) core.Expr {
	from := w.Type().(core.Int)
	x := truth(false)
	if from.Min().Cmp(c.t.Min()) < 0 {
		x = binary(core.Lt, w, &core.Const{Val: c.t.Min(), Typ: from})
	}
	if from.Max().Cmp(c.t.Max()) > 0 { // not both: so the sum is 0 or 1
		x = binary(core.Add, x, binary(core.Gt, w, &core.Const{Val: c.t.Max(), Typ: from}))
	}
	return x
}

// overflow64 is overflow for sums and differences in int64. The operands' types are such that int64
// holds both.
func (c *exactly) overflow64() {
	x, y := convert(c.x, core.Int64), convert(c.y, core.Int64)
	limit := func(v *big.Int, op core.BinaryOp) core.Expr {
		return binary(op, &core.Const{Val: v, Typ: core.Int64}, y)
	}
	least, most := core.Int64.Min(), core.Int64.Max()
	negative := binary(core.Lt, y, core.NewConst(0, core.Int64))
	// x + y overflows if x < least - y or x > most - y, neither of which overflows for y of that sign.
	if c.op == core.Add {
		c.whether(negative, func() { c.give(binary(core.Lt, x, limit(least, core.Sub))) },
			func() { c.give(binary(core.Gt, x, limit(most, core.Sub))) })
	} else {
		c.whether(negative, func() { c.give(binary(core.Gt, x, limit(most, core.Add))) },
			func() { c.give(binary(core.Lt, x, limit(least, core.Add))) })
	}
}

// bySign calls do, for each sign that x may have, with the absolute value of x. do is called once
// for an unsigned x, and else twice, on two ways.
func (c *exactly) bySign(x core.Expr, do func(negative bool, size core.Expr)) {
	wide := convert(x, core.Uint64)
	positive := func() { do(false, wide) }
	if !x.Type().(core.Int).Signed {
		positive()
		return
	}
	// The absolute value of the least number is a value of the unsigned type.
	c.whether(binary(core.Lt, x, core.NewConst(0, core.Int32)), func() {
		do(true, c.once(binary(core.Sub, core.NewConst(0, core.Uint64), wide)))
	}, positive)
}

// product lowers overflow for a product with the given sign of two absolute values.
func (c *exactly) product(negative bool, x, y core.Expr) {
	// x * y > most if and only if x > most / y, for y other than 0.
	c.whether(binary(core.Eq, y, core.NewConst(0, core.Uint64)), func() { c.give(truth(false)) }, func() {
		most := binary(core.Div, &core.Const{Val: c.most(negative), Typ: core.Uint64}, y)
		c.give(binary(core.Gt, x, most))
	})
}

// total lowers overflow for the sum of two numbers with the given signs and absolute values. The
// order of operands is that of the sum: for x - y the caller has inverted the sign of y.
func (c *exactly) total(negative bool, x core.Expr, other bool, y core.Expr) {
	fits := func(negative bool, z core.Expr) {
		c.give(binary(core.Gt, z, &core.Const{Val: c.most(negative), Typ: core.Uint64}))
	}
	// Of equal signs the sum may carry; of different ones the difference has the sign of the greater.
	if negative == other {
		z := c.once(binary(core.Add, x, y))
		c.whether(binary(core.Lt, z, x), func() { c.give(truth(true)) }, func() { fits(negative, z) })
		return
	}
	c.whether(binary(core.Ge, x, y), func() { fits(negative, binary(core.Sub, x, y)) },
		func() { fits(other, binary(core.Sub, y, x)) })
}

// most returns the greatest absolute value of a number of type t with that sign.
func (c *exactly) most(negative bool) *big.Int {
	if negative {
		return new(big.Int).Abs(c.t.Min())
	}
	return c.t.Max()
}
