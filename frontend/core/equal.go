package core

import "math/big"

// This file defines when two expressions are the same.

// Equal reports whether a and b are the same expression: of one type, with equal operators,
// constants, variables and procedures in the same places. Equal expressions have one value in every
// state, and one text: [ExprString] of both is the same. Two nil expressions are equal.
//
// It looks at what an expression denotes, and at the names by which it does so:
//
//   - Variables are compared by identity. Only of symbolic constants (Ghost), which are made
//     wherever one is needed, two with one name in one procedure are the same; of pointers to the
//     object of a predicate those to one type.
//   - Of a displacement the number of bytes and the member's name both count: members of a union
//     are different expressions.
//   - Facts that the value does not depend on are not looked at: Mem.Packed, Mem.Of, Mem.To, Mem.ToChars, Mem.Tag, Mem.PartOf,
//     Offset.Of, Offset.Member, Index.Count and Index.Row.
//   - Where only the number matters, as in an index, in the second operand of a shift and in the
//     null pointer, constants of different types are equal.
//
// Equality of texts is coarser, and no reason to take one expression for the other:
//
//	core                                       text of both
//	Const 1 of int32, of uint8                 1
//	variables x of two procedures              x
//	Offset{p, 8, "f"}, Offset{p, 16, "f"}      &p->f
//	Offset{p, 8, ""}, Index{p, 8, 1}           p + 8
//	Mem{Index{p, i, 4}}, Mem{Index{p, i, 8}}   {int32}p[i]
//	Mem{Index{&p, i, 4}}, Mem{Index{p, i, 4}}  {int32}p[i]
//	Diff{p, q, 1}, Diff{p, q, 4}               p - q
//	Conv{n, double}, Float{FromInt, n}         (double)n
//	Unary{Neg, 5}, Const -5                    -5
func Equal(a, b Expr) bool {
	if a == b {
		return true
	}
	switch a := a.(type) {
	// Types count where a constant stands alone: 1 of int32 and 1 of uint8 are different operands.
	case *Const:
		b, ok := b.(*Const)
		return ok && a.Typ == b.Typ && equalNumbers(a.Val, b.Val)
	case *VarRef:
		b, ok := b.(*VarRef)
		return ok && equalVars(a.Var, b.Var)
	case *Unary:
		b, ok := b.(*Unary)
		return ok && a.Op == b.Op && Equal(a.X, b.X)
	case *Binary:
		b, ok := b.(*Binary)
		if !ok || a.Op != b.Op || !Equal(a.X, b.X) {
			return false
		}
		// The second operand of a shift may have any type.
		if a.Op.IsShift() {
			return equalValues(a.Y, b.Y)
		}
		return Equal(a.Y, b.Y)
	case *Conv:
		b, ok := b.(*Conv)
		return ok && a.To == b.To && Equal(a.X, b.X)
	case *Float:
		b, ok := b.(*Float)
		if !ok || a.Op != b.Op || a.Typ != b.Typ || len(a.Args) != len(b.Args) {
			return false
		}
		for i, x := range a.Args {
			if !Equal(x, b.Args[i]) {
				return false
			}
		}
		return true
	case *Mem:
		b, ok := b.(*Mem)
		return ok && a.Typ == b.Typ && a.Bit == b.Bit && Equal(a.Addr, b.Addr)
	case *AddrOf:
		b, ok := b.(*AddrOf)
		return ok && a.Typ == b.Typ && equalVars(a.Var, b.Var)
	case *FuncAddr:
		b, ok := b.(*FuncAddr)
		return ok && a.Typ == b.Typ && a.Proc == b.Proc
	case *Offset:
		b, ok := b.(*Offset)
		return ok && a.Off == b.Off && a.Field == b.Field && Equal(a.X, b.X)
	case *Index:
		b, ok := b.(*Index)
		return ok && a.Size == b.Size && Equal(a.X, b.X) && equalValues(a.I, b.I)
	case *Diff:
		b, ok := b.(*Diff)
		return ok && a.Size == b.Size && a.Typ == b.Typ && Equal(a.X, b.X) && Equal(a.Y, b.Y)
	case *ToPtr:
		b, ok := b.(*ToPtr)
		if !ok || a.Typ != b.Typ {
			return false
		}
		// Null pointers are equal, whatever the type of their 0.
		return isZero(a.X) && isZero(b.X) || Equal(a.X, b.X)
	case *ToInt:
		b, ok := b.(*ToInt)
		return ok && a.To == b.To && Equal(a.X, b.X)
	case *Cond:
		b, ok := b.(*Cond)
		return ok && Equal(a.C, b.C) && Equal(a.X, b.X) && Equal(a.Y, b.Y)
	}
	return false
}

// equalValues is Equal of operands of which only the number matters, not the type: constants of
// different types are equal.
func equalValues(a, b Expr) bool {
	x, ok1 := a.(*Const)
	y, ok2 := b.(*Const)
	if ok1 && ok2 && x.Typ.Float == y.Typ.Float {
		return equalNumbers(x.Val, y.Val)
	}
	return Equal(a, b)
}

// equalNumbers compares the values of two constants; an ill-formed one has none.
func equalNumbers(x, y *big.Int) bool {
	if x == nil || y == nil {
		return x == y
	}
	return x.Cmp(y) == 0
}

// equalVars reports whether v and w are one variable. Symbolic constants of one procedure are told
// apart by their names, which say what they hold, pointers to objects by the types of these.
func equalVars(v, w *Var) bool {
	if v == w {
		return true
	}
	return v != nil && w != nil && v.Kind == Ghost && w.Kind == Ghost && v.Proc == w.Proc && v.Name == w.Name && v.Type == w.Type && v.To == w.To
}

// isZero reports whether e is the constant 0.
func isZero(e Expr) bool {
	c, ok := e.(*Const)
	return ok && c.Val != nil && c.Val.Sign() == 0
}
