package core

import (
	"math/big"

	"c2bp/ieee"
)

// This file defines floating point: how it is evaluated, printed and checked.

// NewFloat returns a constant of the floating-point type t from its bits.
func NewFloat(bits uint64, t Int) *Const {
	return &Const{Val: new(big.Int).SetUint64(bits), Typ: t}
}

// ValueString returns v, a value of type t, as a number: 0.5, not the bits of 0.5.
func ValueString(v *big.Int, t Type) string {
	if i, ok := t.(Int); ok && i.Float && i.Contains(v) {
		return ieee.Format(v.Uint64(), i.Bits)
	}
	return v.String()
}

// isFloat reports whether e is a floating-point number, in whatever node.
func isFloat(e Expr) bool {
	t, ok := e.Type().(Int)
	return ok && t.Float
}

// FloatBits returns the width of the floating-point numbers that e computes with: of the operands,
// or of the result if e converts an integer.
func (e *Float) FloatBits() int {
	if e.Op == ieee.FromInt {
		return e.Typ.Bits
	}
	return e.Args[0].Type().(Int).Bits
}

// float returns the value of e, a floating-point number as its bits.
func (s State) float(e *Float) *big.Int {
	args := make([]*big.Int, len(e.Args))
	for i, x := range e.Args {
		args[i], _ = s.eval(x)
	}
	return EvalFloat(e.Op, e.FloatBits(), e.Typ, args)
}

// EvalFloat returns the value of op, with a result of type typ, on args. Floating-point operands
// have width bits each.
func EvalFloat(op ieee.Op, width int, typ Int, args []*big.Int) *big.Int {
	switch op {
	case ieee.FromInt:
		return new(big.Int).SetUint64(ieee.FromBig(args[0], typ.Bits))
	case ieee.ToInt:
		// Undefined where the type does not hold the whole part; then 0.
		whole, ok := ieee.Whole(args[0].Uint64(), width)
		if !ok || !typ.Contains(whole) {
			return new(big.Int)
		}
		return whole
	case ieee.Resize:
		return new(big.Int).SetUint64(ieee.Resized(args[0].Uint64(), width, typ.Bits))
	}
	y := uint64(0)
	if len(args) > 1 {
		y = args[1].Uint64()
	}
	return new(big.Int).SetUint64(ieee.Apply(op, width, args[0].Uint64(), y))
}

// floatInfix maps operations to their C operators, which bind as those of integers do.
var floatInfix = map[ieee.Op]BinaryOp{
	ieee.Add: Add, ieee.Sub: Sub, ieee.Mul: Mul, ieee.Div: Div, ieee.Eq: Eq, ieee.Lt: Lt, ieee.Le: Le,
}

// floatFunction maps operations that are not operators to their C functions.
var floatFunction = map[ieee.Op]string{
	ieee.Mod: "fmod", ieee.Remainder: "remainder", ieee.CopySign: "copysign", ieee.Abs: "fabs", ieee.Sqrt: "sqrt",
	ieee.Floor: "floor", ieee.Ceil: "ceil", ieee.Trunc: "trunc", ieee.Round: "round", ieee.Rint: "rint", ieee.Sign: "signbit",
}

// floatStrength returns the binding strength of the operator of e: calls of functions bind like
// names.
func floatStrength(e *Float) int {
	if op, ok := floatInfix[e.Op]; ok {
		return precedence[op]
	}
	if e.Op == ieee.Neg || e.Op.IsConversion() {
		return unary
	}
	return primary
}

// float prints e. Conversions are shown in any case, because they change the value.
func (p *exprPrinter) float(e *Float) {
	infix, isInfix := floatInfix[e.Op]
	switch {
	case isInfix && len(e.Args) == 2:
		own := precedence[infix]
		p.expr(e.Args[0], own)
		p.WriteString(" " + infix.String() + " ")
		p.expr(e.Args[1], own+1)
	case e.Op == ieee.Neg:
		p.WriteString("-")
		// Two minus signs would be C's decrement.
		if p.startsWithMinus(e.Args[0]) {
			p.expr(e.Args[0], primary+1)
		} else {
			p.expr(e.Args[0], unary)
		}
	case e.Op.IsConversion():
		p.WriteString("(" + p.typeName(e.Typ) + ")")
		p.expr(e.Args[0], unary)
	default:
		name := floatFunction[e.Op]
		if len(e.Args) > 0 && e.FloatBits() == 32 && !e.Op.IsTruth() {
			name += "f"
		}
		p.WriteString(name + "(")
		for i, x := range e.Args {
			if i > 0 {
				p.WriteString(", ")
			}
			p.expr(x, lowest)
		}
		p.WriteByte(')')
	}
}

// typeName spells an integer type: in C, but where all conversions are shown.
func (p *exprPrinter) typeName(t Int) string {
	if p.conversions || t.Float {
		return t.String()
	}
	name, ok := map[int]string{8: "char", 16: "short", 32: "int", 64: "long long"}[t.Bits]
	switch {
	case !ok:
		return t.String()
	case t.Bool:
		return "_Bool"
	case !t.Signed:
		return "unsigned " + name
	case t.Bits == 8:
		return "signed char"
	}
	return name
}

// float checks the operands and the type of e.
func (v *validator) float(e *Float) (Type, bool) {
	v.intType("the result of a floating-point operation", e.Typ)
	if e.Op < 0 || e.Op > ieee.Resize || len(e.Args) != e.Op.Arity() {
		v.errorf("a floating-point operation with %d operands", len(e.Args))
		return e.Typ, false
	}
	// Read the operands, then check their types against the operation.
	var types []Int
	for _, x := range e.Args {
		if x == nil {
			v.errorf("a floating-point operation on nothing")
			return e.Typ, false
		}
		t, ok := v.readInt("an operand", x)
		if !ok {
			return e.Typ, false
		}
		types = append(types, t)
	}
	if !floatTypes(e.Op, e.Typ, types) {
		v.errorf("%s of %v is no %s: %s", e.Op, types, e.Typ, ExprString(e))
	}
	return e.Typ, true
}

// floatTypes reports whether op makes a value of type t from operands of types from, at least one.
func floatTypes(op ieee.Op, t Int, from []Int) bool {
	switch x := from[0]; {
	case op == ieee.FromInt:
		return t.Float && !x.Float
	case op == ieee.ToInt:
		return x.Float && !t.Float && !t.Bool
	case op == ieee.Resize:
		return x.Float && t.Float && x != t
	case !x.Float || len(from) > 1 && from[1] != x:
		return false
	case op.IsTruth():
		return t == Int32
	default:
		return t == x
	}
}

// noFloat checks that a value that is tested against zero, or converted, is not a floating-point
// number: the bits of -0.0 are not zero.
func (v *validator) noFloat(what string, t Type) {
	if i, ok := t.(Int); ok && i.Float {
		v.errorf("%s is a floating-point number", what)
	}
}
