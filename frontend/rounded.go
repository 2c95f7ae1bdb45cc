package frontend

import (
	"math/big"

	"modernc.org/cc/v4"

	"c2bp/frontend/core"
	"c2bp/frontend/ctree"
)

// This file lowers pointers that are rounded up as numbers, to a multiple of no more than the alignment of what they lead to:
//
//	struct priv *p = …;  q = (struct ap *)(((long)(p + 1) + 3) & ~3)        p + 1, which C demands to be at a multiple of 8
//
// They stay as they are. Otherwise they would be at no fixed distance from p, for all that is known of numbers, and types
// would tell nothing of what lies around *p apart. A program that rounds such a pointer may have made it of an address that
// is not aligned, although the behaviour of that is undefined (C17 6.3.2.3p7): the ledger has a line for it. Pointers that are
// rounded down, (long)p & ~1, lose marks in their last bits; they are as any number.

// assumeAligned is the line of the ledger.
const assumeAligned = "pointers: one that is rounded up to a multiple of its type's alignment, or of less, is at such a multiple already"

// rounded lowers x op y if that rounds a pointer that is at such a multiple already; ok is false of all else.
func (b *functionLowerer) rounded(op core.BinaryOp, x, y cc.ExpressionNode) (v value, ok bool) {
	// A check of the sum must not be lost.
	if op != core.And || b.checksIn(x) {
		return value{}, false
	}
	cast, t, ok := b.isRounded(x, y)
	if !ok {
		return value{}, false
	}
	b.ledger.add(assumeAligned)
	return known(convert(b.force(b.value(cast)), t)), true
}

// isRounded returns the pointer, as the number that it is cast to, that x & y rounds although it is at such a multiple
// by its type, and the type of the result; ok is false of any other operands.
func (b *functionLowerer) isRounded(x, y cc.ExpressionNode) (cast *cc.CastExpression, t core.Int, ok bool) {
	// 1. The mask has all bits of an address but the last ones, low.
	mask := b.constantOperand(y)
	t, isInt := b.typeOf(x)
	if mask == nil || !isInt {
		return nil, t, false
	}
	t = commonType(t, mask.Typ)
	address := core.Int{Bits: b.pointer().Word().Bits}
	low := address.Convert(new(big.Int).Not(t.Convert(mask.Val)))
	to := new(big.Int).Add(low, big.NewInt(1))
	if t.Float || t.Bits != address.Bits || !to.IsInt64() || to.Int64()&(to.Int64()-1) != 0 {
		return nil, t, false
	}
	// 2. All that the mask may take away is added before.
	op, number, more, isBinary := ctree.BinaryOperator(ctree.Strip(x))
	if !isBinary || op != core.Add {
		return nil, t, false
	}
	if c := b.constantOperand(more); c == nil || c.Val.Cmp(low) != 0 {
		return nil, t, false
	}
	// 3. A pointer to something that is aligned so, as a number that has room for it.
	cast, ok = ctree.Strip(number).(*cc.CastExpression)
	if !ok || cast.Case != cc.CastExpressionCast {
		return nil, t, false
	}
	as, isInt := ctree.IntType(cast.TypeName.Type())
	p, isPointer := cast.CastExpression.Type().(*cc.PointerType)
	if !isInt || as.Bits != address.Bits || !isPointer || b.layouts.AlignmentOf(p.Elem()) < to.Int64() {
		return nil, t, false
	}
	return cast, t, true
}

// constantOperand returns the value of n if that is an integer constant expression, otherwise nil.
func (b *functionLowerer) constantOperand(n cc.ExpressionNode) *core.Const {
	e, err := b.pure(n, nil)
	if err != nil {
		return nil
	}
	c, ok := e.(*core.Const)
	if !ok || c.Typ.Float {
		return nil
	}
	return c
}
