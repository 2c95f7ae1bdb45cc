package frontend

import (
	"strings"

	"modernc.org/cc/v4"

	"c2bp/frontend/core"
	"c2bp/source"
)

// This file lowers calls.

// arguments lists the arguments of a call.
func arguments(e *cc.PostfixExpression) (list []cc.ExpressionNode) {
	for l := e.ArgumentExpressionList; l != nil; l = l.ArgumentExpressionList {
		list = append(list, l.AssignmentExpression)
	}
	return list
}

// typesCompatible is the function that cc makes of __builtin_types_compatible_p.
const typesCompatible = "__ccgo__types_compatible_p"

// calleeOf is the function that a call names, nil for a call through a pointer.
func (l *linker) calleeOf(e *cc.PostfixExpression) *function {
	id := identifier(e.PostfixExpression)
	if id == nil {
		return nil
	}
	d, ok := id.ResolvedTo().(*cc.Declarator)
	if !ok || d.Type() == nil || d.Type().Kind() != cc.Function {
		return nil
	}
	f := l.functionOf(d)
	if f.alias != "" && f.def == nil {
		if t := l.byKey[l.functionKey(f.tu, f.alias)]; t != nil {
			return t
		}
	}
	return f
}

// callValue lowers a call whose value is used inside an expression.
func (b *functionLowerer) callValue(e *cc.PostfixExpression) value {
	if args := b.expectCall(e); args != nil {
		v := b.keep(b.value(args[0]), args[1])
		b.effect(args[1])
		if _, isInt := v.typ.(core.Int); isInt {
			if t, ok := intType(e.Type()); ok {
				return known(convert(b.force(v), t))
			}
		}
		return v
	}
	if calleeName(e) == typesCompatible { // cc and gcc do not agree on all types
		return known(convert(b.force(value{typ: core.Bool, why: "__builtin_types_compatible_p"}), core.Int32))
	}
	t, isInt := intType(e.Type())
	if !isInt {
		b.call(e, nil)
		return value{typ: coreType(e.Type())}
	}
	if f := b.calleeOf(e); f != nil && f.def == nil && isNondet(f.name) {
		b.argumentEffects(e)
		return value{typ: t, why: f.name}
	}
	dst := b.temp(t)
	if !b.call(e, dst) {
		b.emit(&core.Havoc{Locs: []core.Loc{dst.Ref()}})
	}
	return known(dst.Ref())
}

// call lowers a call; its result, converted, goes to dst unless that is nil. It
// reports whether it has stored to dst.
func (b *functionLowerer) call(e *cc.PostfixExpression, dst *core.Var) bool {
	if b.expectCall(e) != nil {
		b.argumentEffects(e)
		return false
	}
	f := b.calleeOf(e)
	if f == nil {
		return b.indirectCall(e, dst)
	}
	if f.def == nil && b.intrinsic(e, f, dst) {
		return dst != nil
	}
	args := b.actuals(e, f)
	if f.def == nil {
		b.callbacks(e, f)
	}
	b.emit(b.directCall(f, args, dst))
	if f.def == nil && f.noreturn {
		b.emit(&core.Assume{Cond: truth(false)})
	}
	return true
}

// directCall is the call of f with the given actuals. A result of another kind
// of type than dst leaves dst arbitrary.
func (b *functionLowerer) directCall(f *function, args []core.Expr, dst *core.Var) core.Stmt {
	c := &core.Call{Callee: f.proc, Args: args}
	if dst == nil {
		return c
	}
	ret, isInt := f.proc.RetType.(core.Int)
	if !isInt {
		b.emit(c)
		return &core.Havoc{Locs: []core.Loc{dst.Ref()}, Why: "the result of " + f.name}
	}
	c.Lhs = dst.Ref()
	if t := dst.Type.(core.Int); t != ret {
		c.ResultConv = &t
	}
	return c
}

// actuals evaluates the arguments of a call of f from left to right.
func (b *functionLowerer) actuals(e *cc.PostfixExpression, f *function) []core.Expr {
	args := arguments(e)
	formals := f.proc.Formals
	if f.def != nil || len(formals) > 0 {
		switch {
		case len(args) < len(formals):
			b.error(at(e.Position()), "too few arguments in a call of %s: %d instead of %d", f.name, len(args), len(formals))
		case len(args) > len(formals) && !f.typ.IsVariadic() && f.typ.MaxArgs() == len(formals) && len(formals) > 0:
			b.error(at(e.Position()), "too many arguments in a call of %s: %d instead of %d", f.name, len(args), len(formals))
		}
	}
	b.checkOrderOf(e, nodes(args)...)
	var out []core.Expr
	for i, a := range args {
		if i >= len(formals) {
			b.effect(a)
			continue
		}
		t, isInt := formals[i].Type.(core.Int)
		if !isInt {
			b.effect(a)
			out = append(out, nil)
			continue
		}
		v := b.value(a)
		if _, ok := v.typ.(core.Int); !ok {
			v = b.arbitraryOf(a, t, "%s", b.textOf(a))
		}
		v = b.keep(v, nodes(args[i+1:])...)
		out = append(out, convert(b.force(v), t))
	}
	for _, v := range formals[min(len(args), len(formals)):] {
		out = append(out, b.anyValue(v.Type))
	}
	return out
}

// anyValue is an arbitrary actual for a formal of type t.
func (b *functionLowerer) anyValue(t core.Type) core.Expr {
	if i, isInt := t.(core.Int); isInt {
		return b.force(value{typ: i, why: "an arbitrary argument"})
	}
	return nil
}

func nodes(list []cc.ExpressionNode) []cc.Node {
	out := make([]cc.Node, len(list))
	for i, e := range list {
		out[i] = e
	}
	return out
}

func (b *functionLowerer) argumentEffects(e *cc.PostfixExpression) {
	args := arguments(e)
	b.checkOrderOf(e, nodes(args)...)
	for _, a := range args {
		b.effect(a)
	}
}

// indirectCall lowers a call through a pointer: any function whose address is
// taken and that takes as many arguments, or one that the program does not
// define.
func (b *functionLowerer) indirectCall(e *cc.PostfixExpression, dst *core.Var) bool {
	b.effect(e.PostfixExpression)
	args := arguments(e)
	b.checkOrderOf(e, append(nodes(args), e.PostfixExpression)...)
	var values []value
	for i, a := range args {
		values = append(values, b.keep(b.value(a), nodes(args[i+1:])...))
	}
	end := newLabel()
	br := b.branch()
	for _, f := range b.order {
		if !f.addrTaken || !acceptsArgs(f, len(args)) || f.def == nil && (!isIntrinsic(f.name) || isNondet(f.name)) {
			continue
		}
		b.arm(br)
		b.candidate(e, f, values, dst)
		b.jump(end)
	}
	b.arm(br)
	unknown := &core.Havoc{Region: true, Why: "a call of an unknown function through " + b.textOf(e.PostfixExpression)}
	if dst != nil {
		unknown.Locs = []core.Loc{dst.Ref()}
	}
	b.emit(unknown)
	b.place(end)
	b.note(source.Note, at(e.Position()), "a call through a pointer, %s: any function whose address is taken may be called", b.textOf(e))
	b.ledger.add("calls through pointers: a function that the program does not define writes no variable but address-taken ones")
	return true
}

// callbacks lowers what an external function may do with the functions that it is
// given: it calls them, any number of times.
func (b *functionLowerer) callbacks(e *cc.PostfixExpression, f *function) {
	for _, a := range arguments(e) {
		typ := functionType(a.Type())
		if typ == nil {
			continue
		}
		if _, isPointer := a.Type().(*cc.PointerType); !isPointer || isZeroPointer(a) {
			continue
		}
		again, end := newLabel(), newLabel()
		b.place(again)
		br := b.branch()
		for _, g := range b.order {
			if !g.addrTaken || g.def == nil || !acceptsArgs(g, len(parameters(typ))) && len(parameters(typ)) > 0 {
				continue
			}
			b.arm(br)
			b.emit(&core.Havoc{Region: true, Why: f.name + " calls back"})
			var args []core.Expr
			for _, p := range g.proc.Formals {
				args = append(args, b.anyValue(p.Type))
			}
			b.emit(&core.Call{Callee: g.proc, Args: args})
			b.jump(again)
		}
		b.arm(br)
		b.skip()
		b.jump(end)
		b.place(end)
		b.note(source.Note, at(a.Position()), "%s may call back any function whose address is taken", f.name)
	}
}

// isZeroPointer reports whether e is a null pointer constant.
func isZeroPointer(e cc.ExpressionNode) bool {
	n := strip(e)
	if c, ok := n.(*cc.CastExpression); ok {
		n = strip(c.CastExpression)
	}
	return isZero(n)
}

// acceptsArgs reports whether f can be called with n arguments.
func acceptsArgs(f *function, n int) bool {
	formals := len(parameters(f.typ))
	return n == formals || n > formals && (f.typ.IsVariadic() || formals == 0)
}

// candidate calls f as one of the callees of an indirect call.
func (b *functionLowerer) candidate(e *cc.PostfixExpression, f *function, values []value, dst *core.Var) {
	if f.def == nil {
		b.intrinsicCandidate(e, f.name, values)
		return
	}
	var args []core.Expr
	for i, p := range f.proc.Formals {
		t, isInt := p.Type.(core.Int)
		_, fromInt := values[i].typ.(core.Int)
		switch {
		case !isInt:
			args = append(args, nil)
		case !fromInt || values[i].expr == nil:
			args = append(args, b.anyValue(t))
		default:
			args = append(args, convert(values[i].expr, t))
		}
	}
	b.emit(b.directCall(f, args, dst))
}

// intrinsicCandidate is an intrinsic as a callee of an indirect call.
func (b *functionLowerer) intrinsicCandidate(e *cc.PostfixExpression, name string, values []value) {
	switch kind := kindOf(name); kind {
	case refused:
		b.error(at(e.Position()), "%s may be called here, and it is not supported", name)
	case assertion, assumption:
		cond := b.anyValue(core.Int32)
		if _, isInt := values[0].typ.(core.Int); isInt {
			cond = b.force(values[0])
		}
		if kind == assertion {
			b.emit(&core.Assert{Cond: cond})
		} else {
			b.emit(&core.Assume{Cond: cond})
		}
	default:
		b.intrinsicEffect(name)
	}
}

// isNondet reports whether name is __VERIFIER_nondet_T for some T.
func isNondet(name string) bool { return strings.HasPrefix(name, "__VERIFIER_nondet_") }
