package frontend

import (
	"strings"

	"modernc.org/cc/v4"

	"c2bp/frontend/ccfix"
	"c2bp/frontend/core"
	"c2bp/frontend/ctree"
	"c2bp/source"
)

// This file lowers calls: of functions with a body, of external ones, and through pointers.

// calleeOf returns the function that a call names, nil for a call through a pointer. (*f)(x) and
// (f)(x) name f, too. A pointer variable is no function, so p(x) yields nil.
func (l *program) calleeOf(e *cc.PostfixExpression) *function {
	id := identifier(e.PostfixExpression)
	if id == nil {
		return nil
	}
	d, ok := id.ResolvedTo().(*cc.Declarator)
	if !ok || d.Type() == nil || d.Type().Kind() != cc.Function {
		return nil
	}
	f := l.functionOf(d)
	return l.resolveAlias(f)
}

// resolveAlias returns the function of which f is another name, or f.
func (l *program) resolveAlias(f *function) *function {
	if t := l.aliasTarget(f); t != nil {
		return t
	}
	return f
}

// callValue lowers a call whose value is used inside an expression. The value of a scalar is a
// temporary, that of a struct the address of one.
func (b *functionLowerer) callValue(e *cc.PostfixExpression) value {
	// 1. Functions of the compiler and of the library whose value is an expression.
	// __builtin_expect(x, c) is x; c is evaluated for its effects, after x.
	if args := b.expectCall(e); args != nil {
		v := b.keep(b.value(args[0]), args[1])
		b.effect(args[1])
		if t := b.scalarType(e.Type()); t != nil {
			return known(b.coerce(args[0], v, t))
		}
		return v
	}
	if ctree.CalleeName(e) == ctree.CompatibleName {
		if x := b.typesCompatible(e); x != nil {
			return known(x)
		}
		return known(convert(b.force(value{typ: core.Bool, why: "__builtin_types_compatible_p"}), core.Int32))
	}
	if v, ok := b.mathCall(e, b.calleeOf(e)); ok {
		return v
	}
	t := b.coreType(e.Type())
	if f := b.calleeOf(e); f != nil && f.def == nil && kindOf(f.name) == onAtomics {
		return b.atomicValue(e, f)
	}
	if f := b.calleeOf(e); f != nil && f.def == nil && isNondet(f.name) && b.kindOfCall(f, e) == inputValue && isScalarType(t) {
		b.argumentEffects(e)
		return value{typ: t, why: f.name, input: f.proc}
	}
	// 2. The result goes to a temporary.
	switch t.(type) {
	case core.Int, core.Ptr:
		dst := b.temp(t)
		// No result was stored, as after an error.
		if !b.call(e, dst.Ref()) {
			b.emit(&core.Havoc{Locs: []core.Loc{dst.Ref()}})
		}
		return known(dst.Ref())
	case core.Agg:
		dst := b.aggregate(t)
		if !b.call(e, &core.Mem{Addr: b.addressOf(dst), Typ: t}) {
			b.emit(&core.Fill{Dst: b.addressOf(dst), Size: b.sizeOfAgg(t), Why: b.TextOf(e)})
		}
		return value{typ: t, addr: b.addressOf(dst)}
	}
	b.call(e, nil)
	return value{typ: t}
}

// call lowers a call; its result, converted, goes to dst unless that is nil. It reports whether it
// has stored to dst. The address of dst must not change while the arguments are evaluated.
func (b *functionLowerer) call(e *cc.PostfixExpression, dst core.Loc) bool {
	if b.expectCall(e) != nil {
		b.argumentEffects(e)
		return false
	}
	// 1. Calls that need no Call node, or no known callee.
	f := b.calleeOf(e)
	if f == nil {
		return b.indirectCall(e, dst)
	}
	if v, ok := b.mathCall(e, f); ok {
		if dst != nil {
			b.assign(dst, b.converted(v.expr, dst.Type()))
		}
		return dst != nil
	}
	if f.def == nil && b.intrinsic(e, f, dst) {
		return dst != nil
	}
	// 2. Arguments, callbacks of an external function, then the call itself.
	args, extra := b.actuals(e, f)
	c := &core.Call{Callee: f.proc, Args: args, Extra: extra}
	if f.def == nil {
		c.CalledBack, dst = b.callbacks(e, f, args, extra, dst)
	}
	b.emitCall(c, f.proc.RetType, dst, f.name)
	// It may run the functions that are registered for the end before it ends the program.
	if f.def == nil && f.noreturn {
		b.perhapsExit()
		b.emit(&core.Assume{Cond: truth(false)})
	}
	return true
}

// emitCall emits call c of a function with result type ret, whose value, converted,
// goes to dst unless that is nil.
//
//	char c = f();         of int f(): call with ResultConv to int8
//	double d = f();       call into a temporary, then a conversion
//	long double x = f();  call without a destination; x becomes arbitrary
func (b *frame) emitCall(c *core.Call, ret core.Type, dst core.Loc, name string) {
	if dst == nil {
		b.emit(c)
		return
	}
	t := dst.Type()
	_, fromInt := ret.(core.Int)
	i, toInt := t.(core.Int)
	// The same type, another integer type, another scalar type, or a result that is not represented.
	switch {
	case t == ret:
		c.Lhs = dst
		b.emit(c)
	case fromInt && toInt && !isFloat(ret) && !isFloat(t):
		c.Lhs = dst
		c.ResultConv = &i
		b.emit(c)
	case isScalarType(ret) && isScalarType(t): // a number of another kind, or of an undeclared function
		dst = b.stable(dst)
		v := b.temp(ret)
		c.Lhs = v.Ref()
		b.emit(c)
		b.assign(dst, b.converted(v.Ref(), t))
	default:
		dst = b.stable(dst)
		b.emit(c)
		b.havocLoc(dst, "the result of "+name)
	}
}

// havocLoc makes a location of any type arbitrary. The node may get an input; for an aggregate it
// is a Fill, for any other type a Havoc.
func (b *frame) havocLoc(l core.Loc, why string) *core.Node {
	if m, ok := l.(*core.Mem); ok {
		if t, isAgg := m.Typ.(core.Agg); isAgg {
			return b.emit(&core.Fill{Dst: m.Addr, Size: b.sizeOfAgg(t), Why: why})
		}
	}
	return b.emit(&core.Havoc{Locs: []core.Loc{l}, Why: why})
}

// actuals evaluates the arguments of a call of f from left to right: args for its formals, and
// extra after them. Of an external function that is declared without parameters, int f(), all
// arguments are extra.
//
//	int f(int, ...);  f('a', 'b', 1.5f)     args int32 'a'; extra int32 'b', 1.5 as a double
func (b *functionLowerer) actuals(e *cc.PostfixExpression, f *function) (args, extra []core.Expr) {
	list := ctree.Arguments(e)
	formals := f.proc.Formals
	if f.def != nil || len(formals) > 0 {
		switch {
		case len(list) < len(formals):
			b.error(ccfix.At(e.Position()), "too few arguments in a call of %s: %d instead of %d", f.name, len(list), len(formals))
		case len(list) > len(formals) && !f.typ.IsVariadic() && f.typ.MaxArgs() == len(formals) && len(formals) > 0:
			b.error(ccfix.At(e.Position()), "too many arguments in a call of %s: %d instead of %d", f.name, len(list), len(formals))
		}
	}
	// The formals decide on the conversions. A function that is defined without ... ignores further
	// arguments.
	types := make([]core.Type, len(formals))
	for i, v := range formals {
		types[i] = v.Type
	}
	args, extra = b.argumentValues(e, types)
	if f.def != nil && !f.typ.IsVariadic() {
		extra = nil
	}
	return args, extra
}

// argumentValues evaluates the arguments of a call from left to right: as many as there are types,
// converted, and the others after the default promotions. Missing arguments get arbitrary values,
// so there are as many in args as there are types.
func (b *functionLowerer) argumentValues(e *cc.PostfixExpression, types []core.Type) (args, extra []core.Expr) {
	list := ctree.Arguments(e)
	b.checkOrderOf(e, nodes(list)...)
	// Each argument is kept from the effects of those after it.
	for i, a := range list {
		if i >= len(types) {
			extra = append(extra, b.extraArgument(a, nodes(list[i+1:])))
			continue
		}
		args = append(args, b.argument(a, types[i], nodes(list[i+1:])))
	}
	for _, t := range types[min(len(list), len(types)):] {
		args = append(args, b.anyValue(t))
	}
	return args, extra
}

// argument returns the value of a for a formal of type t, which evaluating the later arguments next
// does not change; nil if the type is not represented.
func (b *functionLowerer) argument(a cc.ExpressionNode, t core.Type, next []cc.Node) core.Expr {
	switch t.(type) {
	case core.Int, core.Ptr:
		// A scalar is converted like by an assignment.
		v := b.value(a)
		if !isScalarType(v.typ) {
			b.lost(v)
			v = b.arbitraryOf(a, t, "%s", b.TextOf(a))
		}
		return b.converted(b.force(b.keep(v, next...)), t)
	case core.Agg:
		// An aggregate is passed by its address; the callee copies it.
		v := b.aggregateValue(a)
		switch {
		// The bytes of the union beyond the scalar stay arbitrary.
		case isScalarType(v.typ): // of a transparent union
			x := b.anyValue(t)
			b.assign(mem(x, v.typ), b.force(v))
			return x
		case v.addr == nil:
			return b.anyValue(t)
		}
		return b.keep(v, next...).addr
	}
	b.lose(a)
	return nil
}

// extraArgument returns the value of an argument after the formals; nil if it is not represented.
// A char or float is passed as int or double (C11 6.5.2.2p6).
func (b *functionLowerer) extraArgument(a cc.ExpressionNode, next []cc.Node) core.Expr {
	switch t := b.coreType(a.Type()).(type) {
	case core.Ptr:
		return b.argument(a, t, next)
	case core.Int:
		v := b.value(a)
		// The type of the value may be narrower than that of the expression, as of a bit-field.
		if i, isInt := v.typ.(core.Int); isInt {
			return to(b.force(b.keep(v, next...)), passed(i))
		}
		return b.coerce(a, b.keep(v, next...), passed(t))
	case core.Agg:
		b.error(ccfix.At(a.Position()), "a struct among variable arguments is not supported")
	}
	b.lose(a)
	return nil
}

// aggregateValue returns the value of n, a struct or union. A volatile object, or one that threads
// share, is copied to a temporary that is then made arbitrary: the copy tells which addresses may
// be in it.
func (b *functionLowerer) aggregateValue(n cc.ExpressionNode) value {
	if _, isAgg := b.coreType(n.Type()).(core.Agg); !isAgg {
		return b.value(n)
	}
	p := b.structure(n)
	b.assumeKept(p)
	if p.volatile && p.addr != nil {
		v := b.aggregate(p.typ)
		b.copyTo(b.addressOf(v), p.addr, n.Type())
		b.note(source.Note, ccfix.At(n.Position()), "%s is arbitrary", b.TextOf(n))
		b.emit(&core.Fill{Dst: b.addressOf(v), Size: b.sizeExpr(n.Type()), Why: b.TextOf(n)})
		p.addr = b.addressOf(v)
	}
	return value{typ: p.typ, addr: p.addr}
}

// anyValue returns an arbitrary actual for a formal of type t. It is nil for a type that is not
// represented. Each call makes a new temporary.
func (b *frame) anyValue(t core.Type) core.Expr {
	// A temporary, filled with any bytes for an aggregate.
	switch t.(type) {
	case core.Int, core.Ptr:
		return b.force(value{typ: t, why: "an arbitrary argument"})
	case core.Agg:
		v := b.aggregate(t)
		b.emit(&core.Fill{Dst: b.addressOf(v), Size: b.sizeOfAgg(t), Why: "an arbitrary argument"})
		return b.addressOf(v)
	}
	return nil
}

// nodes returns list as nodes.
func nodes(list []cc.ExpressionNode) []cc.Node {
	out := make([]cc.Node, len(list))
	for i, e := range list {
		out[i] = e
	}
	return out
}

// argumentEffects evaluates the arguments of a call for their effects.
func (b *functionLowerer) argumentEffects(e *cc.PostfixExpression) {
	args := ctree.Arguments(e)
	b.checkOrderOf(e, nodes(args)...)
	for _, a := range args {
		b.effect(a)
	}
}

// indirectCall lowers a call through a pointer; like call it reports whether it has stored to dst.
// Package alias finds out which functions it may call.
//
//	o->read(o, n)     $1 := o->read, if n may change it; call $1(o, n)
func (b *functionLowerer) indirectCall(e *cc.PostfixExpression, dst core.Loc) bool {
	b.checkOrderOf(e, append(nodes(ctree.Arguments(e)), e.PostfixExpression)...)
	typ := ctree.FunctionType(e.PostfixExpression.Type())
	if typ == nil {
		b.error(ccfix.At(e.Position()), "what is called is no function: %s", b.TextOf(e))
		return false
	}
	// The pointer is evaluated before the arguments.
	target := b.keep(known(b.pointerValue(e.PostfixExpression)), nodes(ctree.Arguments(e))...).expr
	types := b.formalTypes(typ)
	ret := b.coreType(typ.Result())
	if len(types) == 0 { // not declared: as promoted
		args, extra := b.argumentValues(e, nil)
		b.emitCall(&core.Call{Target: target, RetType: ret, Args: append(args, extra...)}, ret, dst, b.TextOf(e))
		return true
	}
	args, extra := b.argumentValues(e, types)
	b.emitCall(&core.Call{Target: target, RetType: ret, Args: args, Extra: extra, Pointees: b.pointeesOf(typ)}, ret, dst, b.TextOf(e))
	return true
}

// formalTypes returns the types of the parameters of a function of type t. f(void) and f() have
// none.
func (l *typing) formalTypes(t *cc.FunctionType) (types []core.Type) {
	for _, p := range parameters(t) {
		types = append(types, l.parameterType(p.Type()))
	}
	return types
}

// callbacks lowers the calls that an external function f may make of the functions that it is
// given: any number of times, with any arguments; pointers may be those that f is given itself. It
// returns the numbers of these arguments, and dst with an address that the calls do not change. The
// calls come before the Call of f itself, which has all its effects once more: those after the last
// callback.
func (b *frame) callbacks(e *cc.PostfixExpression, f *function, args, extra []core.Expr, dst core.Loc) ([]int, core.Loc) {
	if b.opts.Assume.CallbacksLater {
		return nil, dst
	}
	var called []int
	given := append(append([]core.Expr(nil), args...), extra...)
	for i, a := range ctree.Arguments(e) {
		// A pointer to a function that is not null.
		typ := ctree.GivenFunction(a.Type())
		if typ == nil || i >= len(given) || given[i] == nil || core.IsNull(given[i]) || given[i].Type() != core.Type(b.pointer()) {
			continue
		}
		dst = b.stable(dst)
		b.callback(f, &core.Call{Callee: f.proc, Args: args, Extra: extra}, given[i], typ)
		called = append(called, i)
		b.note(source.Note, ccfix.At(a.Position()), "%s may call back %s", f.name, b.TextOf(a))
	}
	return called, dst
}

// callback lowers a loop of calls of target, a pointer to a function of type typ, by the external
// function f; outer is the call of f.
//
//	again:  branch  outer; arguments := arbitrary; call target; goto again
//	        or      end
func (b *frame) callback(f *function, outer *core.Call, target core.Expr, typ *cc.FunctionType) {
	// 1. The values that f may pass on, besides arbitrary ones.
	given := b.given(append(outer.Args[:len(outer.Args):len(outer.Args)], outer.Extra...), target)
	again, end := newLabel(), newLabel()
	b.place(again)
	first := len(b.nodes)
	// 2. On the first way of the branch f runs on, and calls back once more.
	br := b.branch()
	b.arm(br)
	b.emit(outer) // the effects of f before it calls back
	var args []core.Expr
	for _, t := range b.formalTypes(typ) {
		args = append(args, b.callbackArgument(t, given))
	}
	// Traces show the choices as those of f.
	if !f.proc.Assembly {
		br.Free = true
		for _, n := range b.nodes[first:] {
			switch n.Stmt.(type) {
			case *core.Branch, *core.Havoc, *core.Call:
				n.Caller = f.proc
			}
		}
	}
	// 3. The call; then the other way, on which f calls back no more.
	b.emit(&core.Call{Target: target, RetType: b.coreType(typ.Result()), Args: args, By: f.proc})
	b.jump(again)
	b.arm(br)
	b.skip()
	b.jump(end)
	b.place(end)
}

// given holds the pointers and numbers that a function without a body is given, besides the function
// that it calls back.
type given struct{ pointers, numbers []core.Expr }

// given sorts the arguments args of a call, without target. Null pointers are left out, and values
// of floating-point types.
func (l *sources) given(args []core.Expr, target core.Expr) (g given) {
	for _, x := range args {
		switch {
		case x == nil || x == target || core.IsNull(x):
		case x.Type() == core.Type(l.pointer()):
			g.pointers = append(g.pointers, x)
		default:
			if i, ok := x.Type().(core.Int); ok && !i.Float {
				g.numbers = append(g.numbers, x)
			}
		}
	}
	return g
}

// callbackArgument returns an arbitrary argument of type t: one of those given, for a pointer also
// one elsewhere in the same object, or any. A function that calls back is expected to pass on one
// that it is given, so a run in which it passes another value is in doubt, unless it is given none.
// For void cb(void *data) in register_cb(cb, &dev) it is a branch
//
//	$1 := &dev | $1 := somewhere in dev | $1 arbitrary
//
// The way with the given pointer itself is marked as free: executions can really take it.
func (b *frame) callbackArgument(t core.Type, given given) core.Expr {
	x := b.anyValue(t)
	_, pointer := t.(core.Ptr)
	if isFloat(t) {
		given.numbers = nil
	}
	// anyValue has just emitted the Havoc. Nothing was given that could be passed on, so any value
	// is one that the function may really pass.
	if h, ok := b.nodes[len(b.nodes)-1].Stmt.(*core.Havoc); ok && (pointer && len(given.pointers) == 0 || !pointer && len(given.numbers) == 0) {
		h.Why = core.CallbackInput
		return x
	}
	dst, scalar := x.(*core.VarRef)
	if !scalar {
		return x
	}
	// A branch over the candidates; on the last arm the value stays arbitrary.
	end := newLabel()
	br := b.branch()
	if !pointer {
		for _, n := range given.numbers {
			b.arm(br)
			b.emit(&core.Assign{Lhs: []core.Loc{dst}, Rhs: []core.Expr{b.converted(n, t)}}).Free = true
			b.jump(end)
		}
	} else {
		for _, p := range given.pointers {
			b.arm(br)
			b.emit(&core.Assign{Lhs: []core.Loc{dst}, Rhs: []core.Expr{p}}).Free = true
			b.jump(end)
			b.arm(br)
			b.assign(dst, b.somewhere(p))
			b.jump(end)
		}
	}
	b.arm(br)
	b.skip()
	b.place(end)
	return x
}

// freeChoice is a function of models: a choice of which both results are possible in reality,
// whatever the program does.
const freeChoice = "__c2bp_nondet_choice"

// isLibraryInput reports whether name is __c2bp_input_T for some T: in a model, a value that can
// really come from outside of the program.
func isLibraryInput(name string) bool { return strings.HasPrefix(name, "__c2bp_input_") }

// isNondet reports whether name is __VERIFIER_nondet_T, or __c2bp_nondet_T or __c2bp_input_T in a
// model, for some T.
func isNondet(name string) bool {
	if name == "__VERIFIER_nondet_memory" {
		return false // it has a model
	}
	return strings.HasPrefix(name, "__VERIFIER_nondet_") || strings.HasPrefix(name, "__c2bp_nondet_") || isLibraryInput(name)
}
