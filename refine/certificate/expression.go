package certificate

import (
	"fmt"
	"strconv"

	"c2bp/frontend/core"
)

// This file writes core expressions as S-expressions.
//
//	5 of type int32          (const int32 5)
//	x                        (var x)
//	-x  ~x  !x               (neg x) (bitnot x) (not x)
//	__builtin_popcount(x)    (ones x)
//	x + y, x == y, …         (+ x y) (== x y) …
//	(uint8)x                 (conv uint8 x)
//	d + e, of double         (ieee add double d e)
//	d < e, (int)d            (ieee lt int32 d e) (ieee to int32 d)
//	*(int32 *)a              (mem int32 a), (mem int32 a packed)
//	bit-field at bit 3       (mem uint2 a bit 3)
//	&v, &f()                 (address ptr64 v) (function ptr64 f)
//	&p->next, at byte 8      (offset p 8 next)
//	&p[i], of 4 bytes        (index p i 4), of 10 elements (index p i 4 10)
//	p - q, of 4 bytes        (diff int64 p q 4)
//	(void *)n  (int64)p      (toptr ptr64 n) (toint int64 p)
//	c ? x : y                (if c x y)

// unaryNames are the heads for core.UnaryOp.
var unaryNames = []string{core.Neg: "neg", core.BitNot: "bitnot", core.Not: "not", core.Ones: "ones"}

// typeName returns the name of a type in the text.
func typeName(t core.Type) string {
	if p, ok := t.(core.Ptr); ok {
		return fmt.Sprintf("ptr%d", p.Bits)
	}
	return t.String()
}

// exprText returns e as an S-expression.
func exprText(e core.Expr) string {
	switch e := e.(type) {
	case *core.Const:
		return list("const", typeName(e.Typ), e.Val.String())
	case *core.VarRef:
		return list("var", quote(e.Var.Name))
	case *core.Unary:
		return list(unaryNames[e.Op], exprText(e.X))
	case *core.Binary:
		return list(e.Op.String(), exprText(e.X), exprText(e.Y))
	case *core.Float:
		items := []string{"ieee", e.Op.String(), typeName(e.Typ)}
		for _, x := range e.Args {
			items = append(items, exprText(x))
		}
		return list(items...)
	case *core.Conv:
		return list("conv", typeName(e.To), exprText(e.X))
	// Optional operands come last; the reader knows them by their number or by a keyword.
	case *core.Mem:
		items := []string{"mem", typeName(e.Typ), exprText(e.Addr)}
		if e.Bit != 0 {
			items = append(items, "bit", strconv.Itoa(e.Bit))
		}
		if e.Packed {
			items = append(items, "packed")
		}
		return list(items...)
	case *core.AddrOf:
		return list("address", typeName(e.Typ), quote(e.Var.Name))
	case *core.FuncAddr:
		return list("function", typeName(e.Typ), quote(e.Proc.Name))
	case *core.Offset:
		items := []string{"offset", exprText(e.X), strconv.FormatInt(e.Off, 10)}
		if e.Field != "" {
			items = append(items, quote(e.Field))
		}
		return list(items...)
	case *core.Index:
		items := []string{"index", exprText(e.X), exprText(e.I), strconv.FormatInt(e.Size, 10)}
		if e.Count != 0 {
			items = append(items, strconv.FormatInt(e.Count, 10))
		}
		return list(items...)
	case *core.Diff:
		return list("diff", typeName(e.Typ), exprText(e.X), exprText(e.Y), strconv.FormatInt(e.Size, 10))
	case *core.ToPtr:
		return list("toptr", typeName(e.Typ), exprText(e.X))
	case *core.ToInt:
		return list("toint", typeName(e.To), exprText(e.X))
	case *core.Cond:
		return list("if", exprText(e.C), exprText(e.X), exprText(e.Y))
	}
	panic(fmt.Sprintf("certificate: unknown expression %T", e))
}
