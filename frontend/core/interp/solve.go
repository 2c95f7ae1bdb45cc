package interp

import "c2bp/frontend/core"

// This file inverts comparisons: it finds values of operands that change the outcome.

// Comparison is an executed comparison, for Options.OnCompare.
type Comparison struct {
	Site int      // its number among those of the program, in the order in which they are met first
	Type core.Int // of the operands
	X, Y int64    // modulo 2^64

	evaluation *evaluation
	code       *code
}

// Solve calls f for variables and places in memory from which the operands are computed by
// arithmetic with other operands: with the value of each, and with one that would make the operands
// equal, or unequal where they are equal. That holds as a rule only, since it does not look
// further. It is valid only while OnCompare runs.
//
//	x * 2 + 1 == 7, where x is 5       f(5, 3)
//	(n & 4) == 0, where n is 1         f(1, 5)
func (c Comparison) Solve(f func(now, wanted int64)) {
	v := *c.evaluation
	v.quiet = true
	v.solve(c.code.x, c.X, c.Y, f)
	v.solve(c.code.y, c.Y, c.X, f)
}

// solve descends from c, whose value is now and should be wanted, to a variable or place.
func (v *evaluation) solve(c *code, now, wanted int64, f func(now, wanted int64)) {
	for {
		switch c.op {
		case opConvert:
			if c.typ.Bool {
				return
			}
			c = c.x
			// The operand of a conversion should be wanted as a value of its own type.
			now = v.value(c)
			wanted = convert(c.typ, wanted)
			continue
		case opBinary:
			// Invert the operation in its operand that is not constant.
			// If neither is constant, it is the left one.
			x, k := c.x, c.y
			if x.op == opConstant {
				x, k = k, x
			}
			old, by := v.value(x), v.value(k)
			next, ok := invert(c.binary, x == c.x, old, by, now, wanted)
			if !ok || v.ub != Defined {
				return
			}
			c, now, wanted = x, old, normal(x.typ, next)
			continue
		case opConstant:
			return
		}
		f(now, wanted)
		return
	}
}

// invert returns the value that the operand of op, now old, should have so that with the other
// operand, by, the result is wanted, and not now. The operand is the left one if left is set.
func invert(op core.BinaryOp, left bool, old, by, now, wanted int64) (int64, bool) {
	// Bitwise operations change the bits of the operand that matter; division is inverted
	// approximately.
	switch {
	case op == core.Add:
		return wanted - by, true
	case op == core.Xor:
		return wanted ^ by, true
	case op == core.And && now == wanted:
		return old ^ by, true
	case op == core.And:
		return old&^by | wanted&by, true
	case op == core.Or:
		return old&by | wanted&^by, true
	case op == core.Mul && by != 0:
		return wanted / by, true
	case op == core.Sub && left:
		return wanted + by, true
	case op == core.Sub:
		return by - wanted, true
	case !left || by == 0:
		return 0, false
	case op == core.Shl:
		return int64(uint64(wanted) >> uint64(by)), true
	case op == core.Shr:
		return wanted<<uint64(by) | old&(1<<uint64(by)-1), true
	case op == core.Div:
		return wanted * by, true
	case op == core.Rem:
		return old - old%by + wanted, true
	}
	return 0, false
}
