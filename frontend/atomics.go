package frontend

import (
	"modernc.org/cc/v4"

	"c2bp/frontend/core"
	"c2bp/frontend/ctree"
)

// This file lowers the operations that the macros for atomic objects, in stubs/builtins.h, cannot
// express in C:
//
//	__c2bp_add(a, b)   a + b, which wraps around also if it is signed; of a pointer a and a number b
//	__c2bp_sub(a, b)   of bytes the address b bytes further on. Both have the type of a
//	__c2bp_same(a, b)  whether two objects of one type are equal; of structures, whose bytes are
//	                   compared, the result is not known

// atomicOperations maps each function to the value of a call with x and y, of one type.
var atomicOperations = map[string]func(b *functionLowerer, x, y core.Expr) core.Expr{
	"__c2bp_add":  (*functionLowerer).atomicAdd,
	"__c2bp_sub":  (*functionLowerer).atomicSub,
	"__c2bp_same": (*functionLowerer).atomicSame,
}

// atomicValue returns the value of a call of one of these functions.
func (b *functionLowerer) atomicValue(e *cc.PostfixExpression, f *function) value {
	args := ctree.Arguments(e)
	t := b.coreType(e.Type())
	if len(args) != 2 {
		b.argumentEffects(e)
		return b.arbitrary(e, "%s", b.TextOf(e))
	}
	// Both operands must be of one scalar type.
	from := ctree.IntegerOrPointer(args[0].Type())
	// Operands of other types are evaluated for the addresses that may be in them.
	if from == nil || ctree.IntegerOrPointer(args[1].Type()) != from {
		b.loseArguments(e)
		if f.name != "__c2bp_same" && from != nil {
			t = from
		}
		return b.arbitraryOf(e, t, "an atomic operation on this type")
	}
	x := b.argument(args[0], from, nodes(args[1:]))
	y := b.argument(args[1], from, nil)
	return known(atomicOperations[f.name](b, x, y))
}

// atomicCall lowers a call of one of these functions for its result in dst.
func (b *functionLowerer) atomicCall(e *cc.PostfixExpression, f *function, dst core.Loc) bool {
	v := b.atomicValue(e, f)
	if dst != nil {
		b.assign(dst, to(b.force(v), dst.Type()))
	}
	return true
}

// atomicAdd and atomicSub wrap around, see wrapping.
func (l *program) atomicAdd(x, y core.Expr) core.Expr { return l.wrapping(core.Add, x, y) }
func (l *program) atomicSub(x, y core.Expr) core.Expr { return l.wrapping(core.Sub, x, y) }

//	__c2bp_add(i, 1)   i of int: (int)((int64)i + 1), of long: (long)((unsigned long)i + 1)
//
// A wider or unsigned type has no overflow that C leaves undefined, so nothing is assumed.
// wrapping returns x op y, of one type, modulo its width.
func (l *program) wrapping(op core.BinaryOp, x, y core.Expr) core.Expr {
	if p, isPtr := x.Type().(core.Ptr); isPtr { // as if it were an uintptr_t, says the manual of gcc: not as p + i
		return toPtr(binary(op, toInt(x, p.Word()), toInt(y, p.Word())), p)
	}
	t := x.Type().(core.Int)
	wide := core.Int64 // it holds all sums
	if t.Bits > 32 {
		wide = unsigned(t)
	}
	return convert(binary(op, convert(x, wide), convert(y, wide)), t)
}

// atomicSame returns whether x and y, of one scalar type, are equal.
func (l *program) atomicSame(x, y core.Expr) core.Expr {
	if _, isPtr := x.Type().(core.Ptr); isPtr {
		l.comparesPointer(x, y)
		return comparePointers(core.Eq, x, y)
	}
	return binary(core.Eq, x, y)
}
