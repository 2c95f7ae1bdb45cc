package lowerzing

import (
	"fmt"
	"math"
	"sort"
	"strconv"

	"c2bp/checker/zom"
	"c2bp/frontend/zing"
)

// This file translates expressions.

// expr returns the first slot with the value of an expression. A variable of the frame is its own slot.
func (w *writer) expr(e zing.Expr) int32 {
	switch e := e.(type) {
	case *zing.IntLit, *zing.RealLit, *zing.StringLit, *zing.BoolLit, *zing.NullLit:
		return w.number(w.b.constant(e))
	case *zing.Name:
		return w.load(w.prepare(e), e.Type)
	case *zing.This:
		return w.this
	case *zing.Self:
		return w.result1(zom.Self, 0, 0).A
	// Parts of values.
	case *zing.Selector:
		if m, is := e.Symbol.(*zing.EnumMember); is {
			return w.number(zom.Word(m.Value))
		}
		if f := e.Symbol.(*zing.Field); f.Owner.Kind == zing.KindStruct && !zing.IsPlace(e.X) {
			return w.expr(e.X) + w.b.fields[f]
		}
		return w.load(w.prepare(e), e.Type)
	case *zing.Index:
		return w.load(w.prepare(e), e.Type)
	case *zing.Sizeof:
		if e.Of != nil {
			return w.number(zom.Word(e.Of.Size))
		}
		x := w.expr(e.X)
		in := w.result1(zom.Size, x, 0)
		in.Imm = w.class(e.X.TypeOf())
		return in.A
	// Objects, calls, assignments.
	case *zing.New:
		return w.new(e)
	case *zing.Call:
		return w.evaluate(e)
	case *zing.Assign:
		return w.assign(e.Lhs, e.Rhs)
	// Operations.
	case *zing.Unary:
		return w.unary(e)
	case *zing.Binary:
		return w.binary(e)
	case *zing.Convert:
		return w.convert(w.expr(e.X), e.X.TypeOf(), e.Type)
	}
	panic(fmt.Sprintf("lowerzing: expression %T", e))
}

// all evaluates expressions whose values nobody needs.
func (w *writer) all(list ...zing.Expr) {
	for _, e := range list {
		w.expr(e)
	}
}

// result1 adds an instruction whose result is a new slot.
func (w *writer) result1(op zom.Op, b, c int32) *instr {
	return w.emit(op, w.alloc(1), b, c)
}

// class returns the class of objects of a type, as an operand.
func (w *writer) class(t *zing.Type) zom.Word {
	if c, ok := w.b.classes[t]; ok {
		return zom.Word(c)
	}
	return -1
}

// new makes an object, and runs the initialisers of its fields.
func (w *writer) new(e *zing.New) int32 {
	t := e.Type
	class := w.b.classes[t]
	switch {
	case t.Kind == zing.KindArray && e.Size == nil:
		n := w.number(zom.Word(t.Size))
		return w.result1(zom.NewN, class, n).A
	case t.Kind == zing.KindArray:
		n := w.expr(e.Size)
		return w.result1(zom.NewN, class, n).A
	case t.Kind != zing.KindClass:
		return w.result1(zom.NewN, class, w.number(0)).A
	}
	at := w.result1(zom.New, class, 0).A
	for i, c := range w.b.initialised {
		if c == t {
			w.emit(zom.Apply, at, int32(len(w.b.src.Methods)+i), 0)
		}
	}
	return at
}

// unary translates an operator with one operand.
func (w *writer) unary(e *zing.Unary) int32 {
	x := w.expr(e.X)
	switch e.Op {
	case zing.Not:
		return w.result1(zom.Not, x, 0).A
	case zing.Plus:
		return x
	}
	op := zom.Negate
	if e.Op == zing.Com {
		op = zom.Complement
	}
	return w.calc(op, e.Type, x, x)
}

// binary translates an operator with two operands.
func (w *writer) binary(e *zing.Binary) int32 {
	if e.Op == zing.AndAnd || e.Op == zing.OrOr {
		return w.condition(e)
	}
	x := w.expr(e.X)
	y := w.expr(e.Y)
	t := e.X.TypeOf()
	switch e.Op {
	case zing.In:
		in := w.result1(zom.Member, x, y)
		in.Imm = w.class(e.Y.TypeOf())
		return in.A
	case zing.Eq:
		return w.equal(t, x, y)
	case zing.Ne:
		return w.result1(zom.Not, w.equal(t, x, y), 0).A
	// a > b is b < a.
	case zing.Lt:
		return w.calc(zom.LessThan, t, x, y)
	case zing.Le:
		return w.calc(zom.LessEqual, t, x, y)
	case zing.Gt:
		return w.calc(zom.LessThan, t, y, x)
	case zing.Ge:
		return w.calc(zom.LessEqual, t, y, x)
	}
	if t.Kind == zing.KindBool {
		return w.result1(booleans[e.Op], x, y).A
	}
	return w.calc(calculations[e.Op], e.Type, x, y)
}

var booleans = map[zing.BinaryOp]zom.Op{zing.And: zom.And, zing.Or: zom.Or, zing.Xor: zom.Xor}

var calculations = map[zing.BinaryOp]zom.Calculation{
	zing.Add: zom.Plus, zing.Sub: zom.Minus, zing.Mul: zom.Times, zing.Div: zom.Quotient, zing.Rem: zom.Remainder,
	zing.And: zom.BitAnd, zing.Or: zom.BitOr, zing.Xor: zom.BitXor, zing.Shl: zom.ShiftLeft, zing.Shr: zom.ShiftRight,
}

// condition translates a condition whose value is needed.
func (w *writer) condition(e zing.Expr) int32 {
	at := w.alloc(1)
	yes, no, end := &label{}, &label{}, &label{}
	w.branch(e, here(yes), here(no))
	w.mark(yes)
	w.emit(zom.Const, at, 0, 0).Imm = 1
	w.leap(end)
	w.mark(no)
	w.emit(zom.Const, at, 0, 0)
	w.mark(end)
	return at
}

// equal compares two values of a type.
func (w *writer) equal(t *zing.Type, x, y int32) int32 {
	if t.IsNumeric() && !t.IsInteger() {
		return w.calc(zom.EqualTo, t, x, y)
	}
	return w.result1(zom.Eq, x, y).A
}

// calc calculates with numbers of a type.
func (w *writer) calc(op zom.Calculation, t *zing.Type, x, y int32) int32 {
	in := w.result1(zom.Calc, x, y)
	in.Imm = zom.CalcOf(op, numberOf(t), w.b.opts.Unchecked)
	return in.A
}

// convert converts a number.
func (w *writer) convert(x int32, from, to *zing.Type) int32 {
	f, t := numberOf(from), numberOf(to)
	if f == t {
		return x
	}
	in := w.result1(zom.Cast, x, 0)
	in.Imm = zom.CastOf(f, t, w.b.opts.Unchecked)
	return in.A
}

// numberOf returns the type of a number.
func numberOf(t *zing.Type) zom.Number {
	switch t.Kind {
	case zing.KindByte:
		return zom.Byte
	case zing.KindSByte:
		return zom.SByte
	case zing.KindShort:
		return zom.Short
	case zing.KindUShort:
		return zom.UShort
	case zing.KindUInt:
		return zom.UInt32
	case zing.KindLong:
		return zom.Int64
	case zing.KindULong:
		return zom.UInt64
	case zing.KindFloat:
		return zom.Float32
	// A decimal is taken as the nearest double.
	case zing.KindDouble, zing.KindDecimal:
		return zom.Float64
	}
	return zom.Int32 // enums and ranges, too
}

// constant returns the value of a literal.
func (b *builder) constant(e zing.Expr) zom.Word {
	switch e := e.(type) {
	case *zing.IntLit:
		if e.Neg {
			return -zom.Word(e.Abs)
		}
		return zom.Word(e.Abs)
	case *zing.BoolLit:
		if e.Value {
			return 1
		}
	case *zing.StringLit:
		return zom.Word(b.texts[e.Value]) + 1
	case *zing.RealLit:
		x := e.Value
		if e.Type.Kind == zing.KindFloat {
			// The nearest float, not the float nearest to the nearest double.
			if f, err := strconv.ParseFloat(e.Text, 32); err == nil {
				x = f
			}
		}
		return zom.Word(math.Float64bits(x))
	}
	return zom.Null
}

// collectTexts makes the table of strings, in which equal ones are one.
func (b *builder) collectTexts() {
	zing.InspectProgram(b.src, func(n zing.Node) bool {
		if s, is := n.(*zing.StringLit); is {
			b.texts[s.Value] = 0
		}
		return true
	})
	for s := range b.texts {
		b.out.Prog.Texts = append(b.out.Prog.Texts, s)
	}
	sort.Strings(b.out.Prog.Texts)
	for i, s := range b.out.Prog.Texts {
		b.texts[s] = i
	}
}
