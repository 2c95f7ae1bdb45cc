package certificate

import (
	"slices"
	"strconv"
	"strings"

	"c2bp/frontend/core"
	"c2bp/ieee"
)

// This file reads core expressions. Package core checks their types afterwards.

// shapes gives the number of operands of an expression, by its head. Binary operators are not
// listed.
var shapes = map[string]struct{ min, max int }{
	"const": {2, 2}, "var": {1, 1}, "neg": {1, 1}, "bitnot": {1, 1}, "not": {1, 1}, "ones": {1, 1}, "conv": {2, 2}, "ieee": {3, 4},
	"mem": {2, 5}, "address": {2, 2}, "function": {2, 2}, "offset": {2, 3}, "index": {3, 4},
	"diff": {4, 4}, "toptr": {2, 2}, "toint": {2, 2}, "if": {3, 3},
}

// binaryOps maps the name of a binary operator to the operator.
var binaryOps = func() map[string]core.BinaryOp {
	m := map[string]core.BinaryOp{}
	for op := core.Add; op <= core.LOr; op++ {
		m[op.String()] = op
	}
	return m
}()

// expr reads an expression.
func (r *reader) expr(x *sexpr) core.Expr {
	head := x.head()
	// 1. Binary operators share a shape.
	if op, ok := binaryOps[head]; ok {
		y := r.want(x, head, 2, 2)
		return &core.Binary{Op: op, X: r.expr(y[0]), Y: r.expr(y[1])}
	}
	// 2. The others have a number of operands that the head determines.
	shape, ok := shapes[head]
	if !ok {
		r.fail(x, "expected an expression")
	}
	y := r.want(x, head, shape.min, shape.max)
	switch head {
	case "const":
		return &core.Const{Typ: r.intType(y[0]), Val: r.big(y[1])}
	case "var":
		return r.variable(y[0]).Ref()
	case "neg", "bitnot", "not", "ones":
		return &core.Unary{Op: core.UnaryOp(slices.Index(unaryNames, head)), X: r.expr(y[0])}
	case "conv":
		return &core.Conv{To: r.intType(y[0]), X: r.expr(y[1])}
	case "ieee":
		return r.float(x, y)
	case "mem":
		return r.mem(y)
	case "address":
		return &core.AddrOf{Typ: r.ptrType(y[0]), Var: r.variable(y[1])}
	case "function":
		return &core.FuncAddr{Typ: r.ptrType(y[0]), Proc: r.procedureNamed(y[1])}
	case "offset":
		e := &core.Offset{X: r.expr(y[0]), Off: r.number(y[1])}
		if len(y) > 2 {
			e.Field = r.name(y[2])
		}
		// Its struct is not in the text; see owner.go.
		r.own(e)
		return e
	case "index":
		e := &core.Index{X: r.expr(y[0]), I: r.expr(y[1]), Size: r.number(y[2])}
		if len(y) > 3 {
			e.Count = r.number(y[3])
		}
		return e
	case "diff":
		return &core.Diff{Typ: r.intType(y[0]), X: r.expr(y[1]), Y: r.expr(y[2]), Size: r.number(y[3])}
	case "toptr":
		return &core.ToPtr{Typ: r.ptrType(y[0]), X: r.expr(y[1])}
	case "toint":
		return &core.ToInt{To: r.intType(y[0]), X: r.expr(y[1])}
	}
	return &core.Cond{C: r.expr(y[0]), X: r.expr(y[1]), Y: r.expr(y[2])}
}

// float reads a floating-point operation: its name, the type of the result, the operands.
func (r *reader) float(x *sexpr, y []*sexpr) core.Expr {
	op, ok := ieee.Named(r.name(y[0]))
	if !ok {
		r.fail(y[0], "expected a floating-point operation, such as add or lt")
	}
	if len(y) != 2+op.Arity() {
		r.fail(x, "expected %d operands of %s", op.Arity(), op)
	}
	e := &core.Float{Op: op, Typ: r.intType(y[1])}
	for _, a := range y[2:] {
		e.Args = append(e.Args, r.expr(a))
	}
	return e
}

// mem reads a place in memory: its type, its address, and whether it is packed or a bit-field.
func (r *reader) mem(y []*sexpr) core.Expr {
	e := &core.Mem{Typ: r.wordType(y[0]), Addr: r.expr(y[1])}
	for i := 2; i < len(y); i++ {
		switch {
		case y[i].atom == "packed":
			e.Packed = true
		case y[i].atom == "bit" && i+1 < len(y):
			i++
			e.Bit = int(r.number(y[i]))
		default:
			r.fail(y[i], "expected packed, or bit and a number")
		}
	}
	// A pointer that is a member points to the struct that the program declares; see owner.go.
	_, isPtr := e.Typ.(core.Ptr)
	if o, ok := e.Addr.(*core.Offset); ok && o.Of != nil && isPtr {
		if r.pointees == nil {
			r.pointees = pointees(r.prog)
		}
		e.To = r.pointees[member{o.Of, o.Member}]
	}
	return e
}

// variable reads the name of a variable in scope.
func (r *reader) variable(x *sexpr) *core.Var {
	v := r.vars[r.name(x)]
	if v == nil {
		r.foreign("the program has no variable %s here", x.atom)
	}
	return v
}

// procedureNamed reads the name of a function.
func (r *reader) procedureNamed(x *sexpr) *core.Proc {
	p := r.prog.Proc(r.name(x))
	if p == nil {
		r.foreign("the program has no function %s", x.atom)
	}
	return p
}

// wordType reads the type of a value: an integer or a pointer.
func (r *reader) wordType(x *sexpr) core.Type {
	if strings.HasPrefix(x.atom, "ptr") {
		return r.ptrType(x)
	}
	return r.intType(x)
}

// ptrType reads a pointer type.
func (r *reader) ptrType(x *sexpr) core.Ptr {
	switch r.name(x) {
	case "ptr32":
		return core.Ptr{Bits: 32}
	case "ptr64":
		return core.Ptr{Bits: 64}
	}
	r.fail(x, "expected a type of pointers: ptr32 or ptr64")
	return core.Ptr{}
}

// intType reads an integer type, which includes bool and the types of floating-point numbers.
func (r *reader) intType(x *sexpr) core.Int {
	name := r.name(x)
	// 1. Names that say no number of bits.
	for _, t := range []core.Int{core.Bool, core.Float32, core.Float64} {
		if name == t.String() {
			return t
		}
	}
	// 2. int32, uint8 and the like; the printed type has to be the text again.
	bits, signed := strings.CutPrefix(name, "int")
	if !signed {
		bits = strings.TrimPrefix(name, "uint")
	}
	n, err := strconv.Atoi(bits)
	t := core.Int{Bits: n, Signed: signed}
	if err != nil || n < 1 || n > 64 || t.String() != name {
		r.fail(x, "expected an integer type, such as int32 or uint8")
	}
	return t
}
