package frontend

import (
	"modernc.org/cc/v4"

	"c2bp/frontend/ccfix"
	"c2bp/frontend/core"
	"c2bp/frontend/ctree"
	"c2bp/source"
)

// This file lowers variable arguments. A va_list is a pointer into the variable
// core.Proc.Variadic, which holds the arguments in slots of 8 bytes.
//
//	va_start(ap, n)   ap := &\varargs
//	va_arg(ap, T)     *(T *)(ap := ap + 8, ap - 8)
//	va_copy(ap, aq)   ap := aq
//	va_end(ap)        nothing

// Functions to which stubs/builtins.h expands va_start and va_arg, and the size of a slot in bytes.
const (
	vaStart = "__c2bp_va_start"
	vaArg   = "__builtin_va_arg_impl"
	slot8   = 8
)

// isStoring reports whether name is a function that assigns to its first argument.
func isStoring(name string) bool { return name == vaStart || name == vaArg }

// varargsCall lowers va_start and the part of va_arg that steps to the next argument. va_arg is the
// address of the argument, which the macro casts and dereferences, as in *(int
// *)f(ap). It reports whether the call was lowered, which is false only for a wrong number of
// arguments. arguments.
func (b *functionLowerer) varargsCall(e *cc.PostfixExpression, f *function, dst core.Loc) bool {
	list := ctree.Arguments(e)
	if len(list) != 1 {
		return false
	}
	// 1. The place of the list, casts aside.
	n := list[0]
	for {
		c, ok := ctree.Strip(n).(*cc.CastExpression)
		if !ok {
			break
		}
		n = c.CastExpression
	}
	p := b.lvalue(n)
	if p.isArray() && p.addr != nil { // the va_list of a C library
		p = place{addr: p.addr, typ: b.pointer()}
	}
	if _, isPtr := p.typ.(core.Ptr); !isPtr || !p.known() {
		b.note(source.Warning, ccfix.At(e.Position()), "%s is no list of variable arguments", b.TextOf(n))
		if dst != nil {
			b.havocLoc(dst, "a variable argument")
		}
		return true
	}
	// 2. va_start.
	if f.name == vaStart {
		b.assign(p.loc(), b.variadic(e))
		return true
	}
	// 3. va_arg: the result is the old pointer. A temporary for the result needs no other one.
	if r, ok := dst.(*core.VarRef); ok && r.Var.Kind == core.Temp && dst.Type() == p.typ {
		b.assign(dst, p.loc())
		b.assign(p.loc(), offset(p.loc(), slot8, ""))
		return true
	}
	old := b.temp(b.pointer())
	b.assign(old.Ref(), p.loc())
	b.assign(p.loc(), offset(old.Ref(), slot8, ""))
	if dst != nil {
		b.assign(dst, to(old.Ref(), dst.Type()))
	}
	return true
}

// variadic returns the address of the arguments after the formals of this function.
func (b *frame) variadic(n cc.Node) core.Expr {
	v := b.proc.Variadic
	if v == nil {
		b.error(ccfix.At(n.Position()), "va_start in a function without variable arguments")
		return core.Null(b.pointer())
	}
	return b.addressOf(v)
}

// declareVariadic makes the variable that holds the arguments after the formals. Calls fill it with
// the arguments after the formals. Its type has no size: how many bytes it has depends on the call.
func (b *frame) declareVariadic() {
	if !b.fn.typ.IsVariadic() {
		return
	}
	v := &core.Var{Name: `\varargs`, Type: core.Agg{Name: "..."}, Kind: core.Local, Proc: b.proc, Pos: b.fn.pos, AddrTaken: true}
	b.proc.Locals = append(b.proc.Locals, v)
	b.proc.Variadic = v
}
