package frontend

import (
	"strings"

	"modernc.org/cc/v4"

	"c2bp/frontend/ccfix"
	"c2bp/frontend/core"
	"c2bp/frontend/ctree"
)

// This file gives meaning to functions that the program does not define: assertions, assumptions,
// inputs, and functions that do not return.

// intrinsicKind is the meaning of a function that the program does not define.
type intrinsicKind int

const (
	notIntrinsic intrinsicKind = iota
	assertion                  // f(e, …): e must hold
	failure                    // f(…): reaching it is an error
	assumption                 // f(e): only executions in which e holds continue
	nothing                    // f(…): does nothing
	inputValue                 // f(): any value of its type
	end                        // f(…): does not return
	constantP                  // f(e): 0 or 1, e is not evaluated
	objectSize                 // f(e, k): e is not evaluated
	library                    // f(…): C library, changes no variable of the program
	refused                    // f(…): its control flow cannot be followed
	elementary                 // f(…): see primitives
	counting                   // f(e): see bits.go
	overflowing                // f(a, b, r): see overflow.go
	onAtomics                  // f(a, b): see atomics.go
	replaced                   // f(…): by its model
	varargs                    // f(…): see varargs.go
	starting                   // f(…): starts a thread, see threads.go
	installing                 // f(…): installs a handler, see signals.go
	forking                    // f(): returns twice, in processes that share memory
)

// intrinsics has the functions that a kind belongs to by their names alone; kindOf knows others.
var intrinsics = map[string]intrinsicKind{
	// Properties of the program: a condition that must hold, or a call that must not be reached.
	"assert":                  assertion,
	"__VERIFIER_assert":       assertion,
	"__CPROVER_assert":        assertion,
	"__CPROVER_precondition":  assertion,
	"__CPROVER_postcondition": assertion,
	"__ESBMC_assert":          assertion,
	"__VERIFIER_error":        failure,
	"klee_report_error":       failure,
	"reach_error":             failure,
	"__assert_fail":           failure,
	"__assert":                failure,
	"__assert_rtn":            failure,
	// Only executions in which the condition holds are looked at.
	"__VERIFIER_assume":   assumption,
	"assume_abort_if_not": assumption,
	"__CPROVER_assume":    assumption,
	"__ESBMC_assume":      assumption,
	"klee_assume":         assumption,
	"__builtin_assume":    assumption,

	// Brackets of atomic blocks and hints for other verifiers: without threads they have no
	// meaning.
	"__VERIFIER_atomic_begin": nothing,
	"__VERIFIER_atomic_end":   nothing,
	"__CPROVER_atomic_begin":  nothing,
	"__CPROVER_atomic_end":    nothing,
	"__ESBMC_atomic_begin":    nothing,
	"__ESBMC_atomic_end":      nothing,
	"__CPROVER_input":         nothing,
	"__CPROVER_output":        nothing,
	"__CPROVER_predicate":     nothing,
	"klee_prefer_cex":         nothing,
	"klee_warning":            nothing,
	"klee_warning_once":       nothing,

	// exit and quick_exit are the end only if nothing is registered for it, see ending.go.
	"abort":                 end,
	"exit":                  end,
	"_exit":                 end,
	"_Exit":                 end,
	"quick_exit":            end,
	"klee_silent_exit":      end,
	"__builtin_abort":       end,
	"__builtin_exit":        end,
	"__builtin_trap":        end,
	"__builtin_unreachable": end,

	// C does not determine the results of these.
	"__builtin_constant_p":          constantP,
	"__builtin_object_size":         objectSize,
	"__builtin_dynamic_object_size": objectSize,
	"__c2bp_spurious":               inputValue,

	// Control comes back to a place that has been left, or goes to one that was never called from
	// here.
	"setjmp": refused, "_setjmp": refused, "sigsetjmp": refused, "__sigsetjmp": refused, "__builtin_setjmp": refused,
	"longjmp": refused, "siglongjmp": refused, "__builtin_longjmp": refused,
	"getcontext": refused, "setcontext": refused, "swapcontext": refused, "makecontext": refused,
	"pthread_create": starting, "thrd_create": starting, "clone": starting,
	"vfork": forking,
}

// harmless holds functions of the compiler, of mathematics and of POSIX threads that change no
// variable of the program; their results are arbitrary. For others see models/lib/models.c.
var harmless = func() map[string]bool {
	names := map[string]bool{}
	for _, n := range strings.Fields(`
		pthread_self pthread_mutex_init pthread_mutex_destroy pthread_mutex_lock pthread_mutex_trylock pthread_mutex_unlock
		__builtin_ia32_pause __builtin_cpu_init __builtin_cpu_supports __builtin_cpu_is
		__builtin_classify_type __builtin___clear_cache
		__builtin_isgreater __builtin_isgreaterequal __builtin_isless __builtin_islessequal __builtin_islessgreater __builtin_isunordered
		__builtin_signbit __builtin_signbitf __builtin_signbitl __builtin_isinf_sign __builtin_isnormal __builtin_finite __builtin_fpclassify
		__builtin_prefetch
		__builtin_inf __builtin_inff __builtin_infl __builtin_huge_val __builtin_huge_valf __builtin_huge_vall
		__builtin_nan __builtin_nanf __builtin_nanl __builtin_fabs __builtin_fabsf __builtin_isnan __builtin_isinf __builtin_isfinite
		sin cos tan asin acos atan atan2 sinh cosh tanh exp log log10 log2 pow sqrt ceil floor fabs fmod round trunc
		sinf cosf expf logf powf sqrtf ceilf floorf fabsf fmodf roundf truncf`) {
		names[n] = true
	}
	// Calls that mathCall does not lower, as of numbers that are not represented, are harmless as
	// well.
	for n := range mathFunctions {
		names["__builtin_"+n] = true
		if !builtinMath[n] {
			names[n] = true
		}
	}
	return names
}()

// kindOf returns the kind of the function called name. The answer is about the name only: a
// function with a body is lowered as one, whatever it is called.
func kindOf(name string) intrinsicKind {
	// Families of names before the table.
	switch {
	case isNondet(name):
		return inputValue
	case harmless[name]:
		return library
	case primitives[name] != nil:
		return elementary
	case bitFunctions[name] != nil:
		return counting
	case overflowFunctionOf(name) != nil:
		return overflowing
	case atomicOperations[name] != nil:
		return onAtomics
	case isStoring(name):
		return varargs
	case installers[name] != installer{}:
		return installing
	}
	return intrinsics[name]
}

// isIntrinsic reports whether a function called name has a meaning without a body.
func isIntrinsic(name string) bool { return kindOf(name) != notIntrinsic }

// intrinsic lowers a call of f, which has no body, if f is an intrinsic, and reports whether it is.
// The result goes to dst unless that is nil. If it reports false, nothing was emitted, and the call
// is one of an external function.
func (b *functionLowerer) intrinsic(e *cc.PostfixExpression, f *function, dst core.Loc) bool {
	// 1. A model takes precedence.
	kind := b.kindOfCall(f, e)
	args := ctree.Arguments(e)
	if m := b.modelOf(f, args); m != nil {
		if b.observes(f) || !b.literalCall(m, args, dst) && !b.comparisonCall(e, m, dst) {
			b.modelCall(e, f, m, dst)
		}
		return true
	}
	// 2. The other kinds. Those that do not return here have an arbitrary result.
	if kind == end && b.observes(f) && endsNormally(f.name) {
		b.endCall(e, f)
		return true
	}
	switch kind {
	case notIntrinsic:
		return false
	case library:
		b.loseArguments(e)
		b.ledger.add("extern %s: a library function that changes no variable of the program", f.name)
		b.settingErrno(f, dst, func(dst core.Loc) { b.input(f, dst) })
		return true
	case elementary:
		return b.primitiveCall(e, f, dst)
	case counting:
		return b.bitCall(e, f, dst)
	case overflowing:
		return b.overflowCall(e, f, dst)
	case onAtomics:
		return b.atomicCall(e, f, dst)
	case varargs:
		return b.varargsCall(e, f, dst)
	case assertion, assumption:
		if len(args) == 0 || b.scalarType(args[0].Type()) == nil && !ctree.IsFloating(args[0].Type()) {
			b.error(ccfix.At(e.Position()), "%s takes a condition", f.name)
			return true
		}
		b.checkOrderOf(e, nodes(args)...)
		if f.name == "__builtin_assume" {
			pos := ccfix.At(e.Position())
			b.ledger.add("%s at %s:%d holds", f.name, pos.File, pos.Line)
		}
		// A parameter of type int cuts the condition before it is tested.
		switch t := b.narrowing(f, args[0]); {
		case t != nil && kind == assertion:
			b.emit(&core.Assert{Cond: isTrue(b.coerce(args[0], b.value(args[0]), t))})
		case t != nil:
			b.emit(&core.Assume{Cond: isTrue(b.coerce(args[0], b.value(args[0]), t))}).Origin = assumedBy(f.name)
		case kind == assertion:
			b.assertCondition(args[0])
		default:
			b.assumeCondition(args[0], assumedBy(f.name))
		}
		for _, a := range args[1:] {
			b.effect(a)
		}
	case refused:
		b.error(ccfix.At(e.Position()), "%s is not supported: its control flow cannot be followed", f.name)
	case constantP:
		if dst != nil {
			b.constantP(ctree.Arguments(e), dst)
		}
		return true
	case objectSize:
		if dst != nil {
			b.objectSize(ctree.Arguments(e), dst)
		}
		return true
	case starting:
		b.startThread(e, f, dst)
		return true
	case installing:
		b.install(e, f, dst)
		return true
	// The child runs first, in the same memory, until it ends or calls exec; either result is
	// possible.
	case forking:
		pos := ccfix.At(e.Position())
		b.ledger.add("%s at %s:%d: the child changes nothing that its parent reads", f.name, pos.File, pos.Line)
		b.input(f, dst)
		return true
	case inputValue:
		b.argumentEffects(e)
		b.input(f, dst)
		return true
	default:
		b.argumentEffects(e)
		b.assumedUnreachable(e, f.name)
		b.intrinsicEffect(f.name)
	}
	if dst != nil {
		b.havocLoc(dst, "the result of "+f.name)
	}
	return true
}

// kindOfCall returns the kind of f in a call. A function with the name of an input that is given more
// than numbers may have effects: it is no intrinsic.
//
//	int x = __VERIFIER_nondet_int();        an input
//	__VERIFIER_nondet_string(buf);          an external function, which writes to buf
func (l *typing) kindOfCall(f *function, e *cc.PostfixExpression) intrinsicKind {
	kind := kindOf(f.name)
	// The call of a library function that is observed stays one.
	if kind == library && l.observes(f) {
		return notIntrinsic
	}
	if kind != inputValue {
		return kind
	}
	for _, a := range ctree.Arguments(e) {
		if _, isInt := l.coreType(a.Type()).(core.Int); !isInt && !ctree.IsFloating(a.Type()) {
			return notIntrinsic
		}
	}
	return kind
}

// narrowing returns the type of the first parameter of f if it does not hold all values of the
// argument a: as an int, 1l << 32 is false. It returns nil for other arguments.
//
//	void __VERIFIER_assert(int);  __VERIFIER_assert(1l << 32);     int: the assertion fails
func (l *typing) narrowing(f *function, a cc.ExpressionNode) core.Type {
	if len(f.proc.Formals) == 0 {
		return nil
	}
	t, isInt := f.proc.Formals[0].Type.(core.Int)
	from, ok := l.typeOf(a)
	if isInt && !t.Bool && !t.Float && isFloat(l.coreType(a.Type())) {
		return t
	}
	if !isInt || !ok || t.Bool || t.Holds(from) || t.Bits >= from.Bits {
		return nil
	}
	return t
}

// assumedUnreachable puts into the ledger that the call e of the function name is not reached.
func (l *sources) assumedUnreachable(e *cc.PostfixExpression, name string) {
	if name == "__builtin_unreachable" {
		pos := ccfix.At(e.Position())
		l.ledger.add("%s at %s:%d is not reached", name, pos.File, pos.Line)
	}
}

// intrinsicEffect lowers the effect of a failure, and of a function that does not return. Other
// kinds have none.
func (b *frame) intrinsicEffect(name string) {
	switch kindOf(name) {
	case failure:
		b.emit(&core.Assert{Cond: truth(false)})
	case end:
		b.emit(&core.Assume{Cond: truth(false)}).Ends = ends(name)
	}
}

// ends reports whether a run of the program ends where an intrinsic of kind end is called; at the others there is none.
func ends(name string) bool {
	return name != "__builtin_unreachable" && name != "klee_silent_exit"
}

// constantP lowers dst = __builtin_constant_p(args). A compiler may or may not know the value of an
// expression that is not constant: without optimisation it says 0.
func (b *frame) constantP(args []cc.ExpressionNode, dst core.Loc) {
	known, named := false, false // cc knows the value; it depends on what a name stands for
	for _, a := range args {
		known = known || a.Value() != nil && a.Value() != cc.Unknown || ccfix.IsString(a)
		named = named || dependsOnName(a)
	}
	assign := func(n int64) *core.Node {
		return b.emit(&core.Assign{Lhs: []core.Loc{dst}, Rhs: []core.Expr{to(core.NewConst(n, core.Int32), dst.Type())}})
	}
	// A literal is constant for every compiler, and so are a size and the constant of an enumeration.
	if known && !named {
		assign(1)
		return
	}
	// 0 or 1. Without optimisation it is 0, which is certain if cc does not know the value either.
	end := newLabel()
	br := b.branch()
	b.arm(br)
	assign(0).Free = !known
	b.jump(end)
	b.arm(br)
	assign(1)
	b.jump(end)
	b.place(end)
}

// dependsOnName reports whether the value of e depends on a name that may be that of a variable.
func dependsOnName(e cc.ExpressionNode) (named bool) {
	ctree.Walk(e, func(n cc.Node) bool {
		switch n := n.(type) {
		case *cc.UnaryExpression: // the operand is not evaluated
			switch n.Case {
			case cc.UnaryExpressionSizeofExpr, cc.UnaryExpressionSizeofType, cc.UnaryExpressionAlignofExpr, cc.UnaryExpressionAlignofType:
				return false
			}
		case *cc.PrimaryExpression:
			if n.Case == cc.PrimaryExpressionIdent {
				_, isConstant := n.ResolvedTo().(*cc.Enumerator)
				named = named || !isConstant
			}
		}
		return true
	})
	return named
}

// input lowers dst = f(), an arbitrary value of f's result type.
//
//	x = nondet_int()              havoc of x, with the input on its node
//	c = nondet_int() of char      havoc of c: every char is the end of some int
//	d = nondet_int() of double    havoc of a temporary, then a conversion
func (b *frame) input(f *function, dst core.Loc) {
	if dst == nil {
		if isNondet(f.name) {
			b.emit(&core.Skip{}).Input = f.proc
		}
		return
	}
	// Without a conversion that loses values the location itself becomes arbitrary.
	t, isInt := dst.Type().(core.Int)
	from := f.proc.RetType
	if w, ok := core.Word(from); !isInt || !ok || t == w || everyValue(t, from) || t.Bool && !w.Bool && !w.Float {
		why := f.name
		if isLibraryInput(why) {
			why = core.LibraryInput
		}
		b.havocLoc(dst, why).Input = f.proc
		return
	}
	b.assign(dst, b.converted(b.force(value{typ: from, why: f.name, input: f.proc}), t))
}

// assertCondition asserts e. A condition with control flow in it has one Assert
// node on its false side.
//
//	assert(a && b)     branches on a and b; on the false ways: assert 0
func (b *functionLowerer) assertCondition(e cc.ExpressionNode) {
	if v, ok := b.plain(e); ok {
		b.emit(&core.Assert{Cond: v})
		return
	}
	yes, no := newLabel(), newLabel()
	b.cond(e, yes, no)
	b.place(no)
	b.emit(&core.Assert{Cond: truth(false)})
	b.place(yes)
}

// assumedBy returns the role of the assumption that a function makes: one whose name says so aborts.
func assumedBy(function string) core.Origin {
	if function == "assume_abort_if_not" {
		return core.Plain
	}
	return core.Assumed
}

// assumeCondition ends the path unless e holds.
func (b *functionLowerer) assumeCondition(e cc.ExpressionNode, role core.Origin) {
	if v, ok := b.plain(e); ok {
		b.emit(&core.Assume{Cond: v}).Origin = role
		return
	}
	yes, no := newLabel(), newLabel()
	b.cond(e, yes, no)
	b.place(no)
	b.emit(&core.Assume{Cond: truth(false)}).Origin = role
	b.place(yes)
}

// plain lowers a condition that needs no control flow of its own; it reports false if e needs some.
// If it reports false, nothing was emitted.
func (b *functionLowerer) plain(e cc.ExpressionNode) (core.Expr, bool) {
	if c := b.foldCondition(e); c != nil {
		return c, true
	}
	// 1. Take negations away: they negate the condition.
	negations := 0
	n := ctree.Strip(e)
	for {
		u, ok := n.(*cc.UnaryExpression)
		if !ok || u.Case != cc.UnaryExpressionNot {
			break
		}
		negations++
		n = ctree.Strip(u.CastExpression)
	}
	// 2. Is the rest control flow?
	if b.scalarType(n.Type()) == nil || b.isLogical(n) {
		return nil, false
	}
	if c, ok := n.(*cc.ConditionalExpression); ok && c != nil {
		return nil, false
	}
	// 3. Its value, compared with 0.
	v := b.value(n)
	// It is not represented: any truth value.
	if !isScalarType(v.typ) {
		return b.coerce(n, v, core.Int32), true
	}
	x := isTrue(b.force(v))
	if negations%2 == 1 {
		x = core.Negate(x)
	}
	return x, true
}

// assertion lowers the expansion of the macro assert, e ? (void)0 : __assert_fail(…), to one
// Assert, and reports whether e is one. Otherwise the assertion would be a branch with an Assert 0
// on one side, without the condition in it.
func (b *functionLowerer) assertion(e *cc.ConditionalExpression) bool {
	if ctree.IsNil(e.ExpressionList) || b.hasEffects(e.ExpressionList) {
		return false
	}
	call, ok := ctree.Strip(e.ConditionalExpression).(*cc.PostfixExpression)
	if !ok || call.Case != cc.PostfixExpressionCall {
		return false
	}
	// The function must be one whose call is a failure.
	f := b.calleeOf(call)
	if f == nil || f.def != nil || kindOf(f.name) != failure {
		return false
	}
	b.assertCondition(e.LogicalOrExpression)
	return true
}

// expectCall returns the arguments of __builtin_expect(e, c), whose value is e; nil for other calls.
func (l *program) expectCall(e *cc.PostfixExpression) []cc.ExpressionNode {
	if e.Case != cc.PostfixExpressionCall {
		return nil
	}
	f := l.calleeOf(e)
	if f == nil || f.def != nil || f.name != "__builtin_expect" {
		return nil
	}
	if args := ctree.Arguments(e); len(args) == 2 {
		return args
	}
	return nil
}

// checkBuiltin refuses the undeclared function name if it is one of the compiler's that is not
// supported: neither its effects nor its result are known.
func (l *sources) checkBuiltin(n cc.Node, name string) {
	if ccfix.IsBuiltinName(name) && intrinsics[name] == notIntrinsic && !ccfix.HasBuiltin(name) {
		l.error(ccfix.At(n.Position()), "the built-in function %s is not supported", name)
	}
}
