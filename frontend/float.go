package frontend

import (
	"math/big"
	"slices"

	"modernc.org/cc/v4"

	"c2bp/frontend/core"
	"c2bp/frontend/ctree"
	"c2bp/ieee"
)

// This file lowers operators, conversions and constants of float and double (IEEE 754). As on x86-64,
// each operation rounds to nearest, to the type that it has in C, and no two are contracted to one.

// exactFloats is the assumption of each operation.
const exactFloats = "floating point: each operation of float and double rounds to nearest, to its type"

// floatsInRange is the assumption of each conversion to an integer.
const floatsInRange = "floating point: a number that is converted to an integer type fits into it"

// opaqueFloats reports whether values of float and double are not represented: on i386, where registers
// hold more digits and it is not specified when a compiler rounds, and if the program sets the rounding
// mode.
func (l *typing) opaqueFloats() bool { return l.opts.Bits32 || l.rounds }

// roundingFunctions has the functions that set the rounding mode.
var roundingFunctions = map[string]bool{"fesetround": true, "fesetmode": true, "fesetenv": true, "feupdateenv": true, "__builtin_ia32_ldmxcsr": true, "_mm_setcsr": true}

// findRounding looks for a mention of a function that sets the rounding mode. A mention is enough,
// also one in code that is never reached: it is looked for before anything is lowered.
func (l *typing) findRounding() {
	for _, tu := range l.tus {
		for u := tu.ast.TranslationUnit; u != nil && !l.rounds; u = u.TranslationUnit {
			if isPrelude(u.ExternalDeclaration) {
				continue
			}
			ctree.Walk(u.ExternalDeclaration, func(n cc.Node) bool {
				id, ok := n.(*cc.PrimaryExpression)
				l.rounds = l.rounds || ok && id.Case == cc.PrimaryExpressionIdent && roundingFunctions[id.Token.SrcStr()]
				return !l.rounds
			})
		}
	}
}

// isFloat reports whether t is a floating-point type.
func isFloat(t core.Type) bool {
	i, ok := t.(core.Int)
	return ok && i.Float
}

// passed returns the type to which the default argument promotions convert t.
func passed(t core.Int) core.Int {
	if t.Float {
		return core.Float64
	}
	return promoted(t)
}

// converted returns x converted to the scalar type t. It also puts the assumptions of
// floating-point conversions into the ledger.
func (l *sources) converted(x core.Expr, t core.Type) core.Expr {
	to := to(x, t)
	if f, ok := to.(*core.Float); ok && f.Op.IsConversion() {
		l.ledger.add(exactFloats)
		if f.Op == ieee.ToInt {
			l.ledger.add(floatsInRange)
		}
	}
	return to
}

// convertFloat returns x, of type from, converted to t; one of them is a floating-point type. To a
// _Bool it is a comparison with 0: (_Bool)0.5 is 1, unlike (int)0.5.
func convertFloat(x core.Expr, from, t core.Int) core.Expr {
	switch {
	case t.Bool:
		return convert(isTrue(x), t)
	case !from.Float:
		return floatOperation(ieee.FromInt, t, x)
	case t.Float:
		return floatOperation(ieee.Resize, t, x)
	}
	return floatOperation(ieee.ToInt, t, x)
}

// floatUnary applies - or ! to x, of type t.
// -x is no 0 - x: for x = 0 the result is -0.
func floatUnary(op core.UnaryOp, x core.Expr, t core.Int) core.Expr {
	if op == core.Not {
		return floatBinary(core.Eq, x, core.NewFloat(0, t), t)
	}
	return floatOperation(ieee.Neg, t, x)
}

// floatOperator reports whether op is defined for operands like x and y: any for integers.
func floatOperator(op core.BinaryOp, x, y core.Expr) bool {
	switch op {
	case core.Rem, core.Shl, core.Shr, core.And, core.Or, core.Xor:
		return !isFloat(x.Type()) && !isFloat(y.Type())
	}
	return true
}

// floatBinary returns x op y for operands of type t. Its callers have excluded the other operators
// by floatOperator; it panics for them.
func floatBinary(op core.BinaryOp, x, y core.Expr, t core.Int) core.Expr {
	switch op {
	case core.Add:
		return floatOperation(ieee.Add, t, x, y)
	case core.Sub:
		return floatOperation(ieee.Sub, t, x, y)
	case core.Mul:
		return floatOperation(ieee.Mul, t, x, y)
	case core.Div:
		return floatOperation(ieee.Div, t, x, y)
	case core.Eq:
		return floatOperation(ieee.Eq, core.Int32, x, y)
	case core.Ne:
		// True for NaNs, unlike all other comparisons.
		return unary(core.Not, floatOperation(ieee.Eq, core.Int32, x, y))
	case core.Lt:
		return floatOperation(ieee.Lt, core.Int32, x, y)
	case core.Le:
		return floatOperation(ieee.Le, core.Int32, x, y)
	case core.Gt:
		return floatOperation(ieee.Lt, core.Int32, y, x)
	case core.Ge:
		return floatOperation(ieee.Le, core.Int32, y, x)
	}
	panic("frontend: no operator of floating-point numbers: " + op.String())
}

// keepsNaN reports whether the bits of op's result for a NaN are the same on every machine.
func keepsNaN(op ieee.Op) bool {
	switch op {
	case ieee.Neg, ieee.Abs, ieee.CopySign, ieee.Resize:
		return true
	}
	return false
}

// floatOperation returns op with a result of type t. Constants are folded, unless the result is a NaN,
// or no value of t: the compiler and the machine may differ about its bits.
func floatOperation(op ieee.Op, t core.Int, args ...core.Expr) core.Expr {
	e := &core.Float{Op: op, Args: args, Typ: t}
	// 1. A comparison with a NaN is false, whatever its bits.
	if (op == ieee.Eq || op == ieee.Lt || op == ieee.Le) && slices.ContainsFunc(args, isNoNumber) {
		return core.NewConst(0, t)
	}
	// 2. Are all operands constants?
	var values []*big.Int
	for _, x := range args {
		c, ok := x.(*core.Const)
		if !ok {
			return e
		}
		values = append(values, c.Val)
	}
	// 3. Is the result defined, with the same bits everywhere?
	if op == ieee.ToInt {
		whole, ok := ieee.Whole(values[0].Uint64(), e.FloatBits())
		if !ok || !t.Contains(whole) {
			return e
		}
	}
	v := core.EvalFloat(op, e.FloatBits(), t, values)
	if t.Float && ieee.IsNaN(v.Uint64(), t.Bits) && !keepsNaN(op) {
		return e
	}
	return &core.Const{Val: v, Typ: t}
}

// isNoNumber reports whether e is a constant expression whose value is a NaN, whatever its bits.
// It looks through operations that floatOperation has not folded.
func isNoNumber(e core.Expr) bool {
	switch e := e.(type) {
	case *core.Const:
		return e.Typ.Float && ieee.IsNaN(e.Val.Uint64(), e.Typ.Bits)
	case *core.Float:
		if !e.Typ.Float || e.Op == ieee.FromInt {
			return false
		}
		// An operand that is a NaN makes the result one, except the sign of copysign.
		if isNoNumber(e.Args[0]) || e.Op != ieee.CopySign && slices.ContainsFunc(e.Args, isNoNumber) {
			return true
		}
		var values []*big.Int
		for _, x := range e.Args {
			c, ok := x.(*core.Const)
			if !ok {
				return false
			}
			values = append(values, c.Val)
		}
		v := core.EvalFloat(e.Op, e.FloatBits(), e.Typ, values)
		return ieee.IsNaN(v.Uint64(), e.Typ.Bits)
	}
	return false
}
