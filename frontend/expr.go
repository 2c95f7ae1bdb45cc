package frontend

import (
	"fmt"

	"modernc.org/cc/v4"

	"c2bp/frontend/ccfix"
	"c2bp/frontend/core"
	"c2bp/frontend/ctree"
	"c2bp/source"
)

// This file lowers expressions for their value. Side effects become nodes, and the value is a pure
// expression over the state after them: i++ is the node i := i + 1 and the value i - 1.

// value is the value of an expression. The fields say how much of the value is known:
//
//	i + 1, p->f        expr
//	s, f() of structs  addr, where the object is; its bytes are read when the value is used
//	nondet_int()       why and input: no node yet, the user of the value emits one
//	x + 1.0L           why: the operation is not represented, any value is possible
//	f() of void        none
type value struct {
	expr core.Expr // of an integer or pointer; nil if the value is not known
	addr core.Expr // of a struct, union or array: its address; nil if that is not known
	typ  core.Type
	why  string // for a scalar that is not known: why it is arbitrary
	// input is the function that was called for a scalar that is not known, or nil. Its
	// node comes when the value is used, but before the next side effect.
	input *core.Proc
}

// known returns the value of a pure expression. e must be pure: it is evaluated later, and perhaps
// more than once.
func known(e core.Expr) value { return value{expr: e, typ: e.Type()} }

// void is the value of a call of a void function, or of a statement expression without value.
var void = value{typ: core.Void{}}

// arbitrary returns an unknown value of e's type, with a note in the diagnostics for a scalar.
// The reason in format is shown to users; it begins like a noun, as in "this expression".
func (l *typing) arbitrary(e cc.ExpressionNode, format string, args ...any) value {
	return l.arbitraryOf(e, l.coreType(e.Type()), format, args...)
}

// arbitraryOf is arbitrary for a value of type t.
func (l *sources) arbitraryOf(e cc.ExpressionNode, t core.Type, format string, args ...any) value {
	why := fmt.Sprintf(format, args...)
	if isScalarType(t) {
		l.note(source.Note, ccfix.At(e.Position()), "%s is an arbitrary value", why)
	}
	return value{typ: t, why: why}
}

// temp makes a temporary variable of type t. It becomes a local of the procedure, with a name that
// nothing else in the procedure has.
func (b *frame) temp(t core.Type) *core.Var {
	b.temps++
	v := &core.Var{Name: b.fresh(fmt.Sprintf("$%d", b.temps), b.pos), Type: t, Kind: core.Temp, Proc: b.proc, Pos: b.pos}
	b.proc.Locals = append(b.proc.Locals, v)
	return v
}

// force returns a scalar value as an expression: an unknown one is stored in a temporary. Each call
// stores anew, so a value is forced once and the result is used from then on: two temporaries for
// one input would be two different values.
func (b *frame) force(v value) core.Expr {
	if v.expr != nil {
		return v.expr
	}
	t := b.temp(v.typ)
	b.storeUnknown(t.Ref(), v)
	return t.Ref()
}

// storeUnknown stores v, an unknown scalar, in dst.
func (b *frame) storeUnknown(dst core.Loc, v value) {
	b.emit(&core.Havoc{Locs: []core.Loc{dst}, Why: v.why}).Input = v.input
}

// drop emits the node of an input whose value nobody uses. A call of __VERIFIER_nondet_int() as a
// statement still takes a value from the inputs of a run.
func (b *frame) drop(v value) {
	if v.expr == nil && v.input != nil {
		b.emit(&core.Skip{}).Input = v.input
	}
}

// keep returns v in a form that evaluating next, the later operands, does not change: a copy in a
// temporary if their effects may disturb it. For example
//
//	x + f()     $1 := x; call f; the value is $1 + result, if f may write x
//	x + f()     call f; the value is x + result, if it may not
//
// A copy where none is needed would be sound, too, but it costs predicates, which then are about
// $1.
func (b *functionLowerer) keep(v value, next ...cc.Node) value {
	for _, n := range next {
		if v.expr == nil && v.addr == nil && v.input == nil || !b.hasEffects(n) {
			continue
		}
		if v.input != nil && v.expr == nil { // its node comes before the effects of n
			return known(b.force(v))
		}
		// Copy the value, or the object, if evaluating n may change it.
		eff := b.effectsOf(n)
		switch {
		case v.expr != nil && eff.disturb(v.expr):
			t := b.temp(v.typ)
			b.assign(t.Ref(), v.expr)
			return known(t.Ref())
		case v.addr != nil && !b.isRepresented(v.typ): // nobody uses more than its addresses
		// The object itself is the value: a write to any of its bytes changes it.
		case v.addr != nil && (eff.disturb(v.addr) || eff.disturb(&core.Mem{Addr: v.addr, Typ: v.typ})):
			t := b.aggregate(v.typ)
			b.emit(&core.Copy{Dst: b.addressOf(t), Src: v.addr, Size: b.sizeOfAgg(v.typ)})
			return value{typ: v.typ, addr: b.addressOf(t)}
		}
	}
	return v
}

// keepPlace returns p with an address that evaluating next, the later operands, does not change.
// The object there may change; only which object it is must not. So *p = f() stores where p pointed
// before the call.
func (b *functionLowerer) keepPlace(p place, next ...cc.Node) place {
	if p.v != nil || p.addr == nil {
		return p
	}
	for _, n := range next {
		if b.hasEffects(n) {
			p.addr = b.pinned(p.addr, b.effectsOf(n).disturb)
		}
	}
	return p
}

// pinned returns the address addr with those parts of it that may change, according to disturbed,
// replaced by temporaries. For example a[i].f with a global i, which a call may change, becomes
// a[$1].f after $1 := i.
func (b *frame) pinned(addr core.Expr, disturbed func(core.Expr) bool) core.Expr {
	if !disturbed(addr) {
		return addr
	}
	// Keep the form of the address, so that the member and the index stay visible: only the parts that
	// change are copied.
	switch a := addr.(type) {
	case *core.Offset:
		return &core.Offset{X: b.pinned(a.X, disturbed), Off: a.Off, Field: a.Field, Of: a.Of, Member: a.Member}
	case *core.Index:
		x := b.pinned(a.X, disturbed)
		i := a.I
		if disturbed(i) {
			t := b.temp(i.Type())
			b.assign(t.Ref(), i)
			i = t.Ref()
		}
		return &core.Index{X: x, I: i, Size: a.Size, Count: a.Count, Row: a.Row}
	}
	t := b.temp(addr.Type())
	b.assign(t.Ref(), addr)
	return t.Ref()
}

// stable returns dst with an address that no write to memory changes. A place that is a variable
// has no address to keep.
func (b *frame) stable(dst core.Loc) core.Loc {
	if m, ok := dst.(*core.Mem); ok {
		return m.At(b.pinned(m.Addr, readsMemory))
	}
	return dst
}

// assign emits l := e.
func (b *frame) assign(l core.Loc, e core.Expr) {
	b.emit(&core.Assign{Lhs: []core.Loc{l}, Rhs: []core.Expr{e}})
}

// value lowers n for its value. Effects of n become nodes before value returns, and the expression
// that it returns is over the state after them. A caller that lowers something else before it uses
// the value calls keep.
func (b *functionLowerer) value(n cc.ExpressionNode) value {
	// 1. Constants, and conditions, which are control flow.
	n = ctree.Strip(n)
	if c := b.constantCondition(n); c != nil {
		return known(c)
	}
	// A literal of a type without values, such as long double, has the type but no value.
	if _, t, ok := ccfix.FloatLiteral(n); ok {
		if c := b.floatConstant(n); c != nil {
			return known(c)
		}
		return value{typ: b.coreType(t), why: b.TextOf(n)}
	}
	if b.isLogical(n) {
		return b.logicalValue(n)
	}
	// 2. Operators.
	if op, x, y, ok := ctree.BinaryOperator(n); ok {
		return b.binaryValue(n, op, x, y)
	}
	// 3. Everything else, by its form.
	switch e := n.(type) {
	case *cc.PrimaryExpression:
		return b.primary(e)
	case *cc.PostfixExpression:
		return b.postfix(e)
	case *cc.UnaryExpression:
		return b.unaryValue(e)
	case *cc.CastExpression:
		return b.cast(e)
	case *cc.ConditionalExpression:
		return b.conditionalValue(e)
	case *cc.AssignmentExpression:
		return b.assignment(e, true)
	case *cc.ExpressionList:
		for ; e.ExpressionList != nil; e = e.ExpressionList {
			b.effect(e.AssignmentExpression)
		}
		return b.value(e.AssignmentExpression)
	}
	return b.arbitrary(n, "this expression")
}

// effect lowers n for its side effects; an expression without any leaves no nodes. It emits the
// same effects, in the same order, as value, but computes no value that nobody uses.
func (b *functionLowerer) effect(n cc.ExpressionNode) {
	if ctree.IsNil(n) {
		return
	}
	if !b.hasEffects(n) {
		if b.checksIn(n) {
			b.drop(b.value(n))
		}
		return
	}
	n = ctree.Strip(n)
	// 1. An operator has no effects besides those of its operands, and checks.
	if op, x, y, ok := ctree.BinaryOperator(n); ok && !op.IsLogical() {
		if b.checksIn(n) {
			b.drop(b.value(n))
			return
		}
		b.checkOrder(n, x, y)
		b.effect(x)
		b.effect(y)
		return
	}
	// 2. Of && and || the second operand may not be evaluated.
	if b.isLogical(n) {
		b.logicalEffect(n)
		return
	}
	// 3. Expressions with effects of their own. The value is computed only if that is how the effects are
	// lowered.
	switch e := n.(type) {
	case *cc.PrimaryExpression:
		if e.Case == cc.PrimaryExpressionStmt {
			b.statements(e.CompoundStatement)
		} else {
			b.value(n)
		}
	case *cc.AssignmentExpression:
		b.assignment(e, false)
	case *cc.UnaryExpression:
		if e.Case == cc.UnaryExpressionInc || e.Case == cc.UnaryExpressionDec {
			b.increment(e.UnaryExpression, e.Case == cc.UnaryExpressionInc, false)
		} else {
			b.value(n)
		}
	case *cc.ExpressionList:
		for ; e != nil; e = e.ExpressionList {
			b.effect(e.AssignmentExpression)
		}
	case *cc.CastExpression:
		b.effect(e.CastExpression)
	case *cc.ConditionalExpression:
		b.conditionalEffect(e)
	case *cc.PostfixExpression:
		switch e.Case {
		case cc.PostfixExpressionCall:
			b.call(e, nil)
		case cc.PostfixExpressionInc, cc.PostfixExpressionDec:
			b.increment(e.PostfixExpression, e.Case == cc.PostfixExpressionInc, false)
		default:
			b.value(n)
		}
	default:
		b.value(n)
	}
}

// binaryValue lowers x op y; the operands are evaluated from left to right. For x + f(x) the value
// of x is copied before the call only if f may change x, see keep.
func (b *functionLowerer) binaryValue(n cc.ExpressionNode, op core.BinaryOp, x, y cc.ExpressionNode) value {
	// 0. A pointer that is rounded to where it is already.
	if v, ok := b.rounded(op, x, y); ok {
		return v
	}
	// 1. Both operands; the value of x is kept from the effects of y.
	b.checkOrder(n, x, y)
	v := b.keep(b.value(x), y)
	w := b.value(y)
	// 2. An operator of pointers, or of values that are not represented.
	_, intX := v.typ.(core.Int)
	_, intY := w.typ.(core.Int)
	if !intX || !intY {
		if isScalarType(v.typ) && isScalarType(w.typ) {
			return b.pointerBinary(n, op, x, y, v, w)
		}
		b.lost(v)
		b.lost(w)
		return b.arbitrary(n, "%s", b.TextOf(n))
	}
	// 3. An operator of numbers: binary applies the usual arithmetic conversions.
	left, right := b.force(v), b.force(w)
	if !floatOperator(op, left, right) {
		b.error(ccfix.At(n.Position()), "%s of floating-point numbers is not defined", op)
		return b.arbitrary(n, "%s", b.TextOf(n))
	}
	b.operate(n, "", op, left, right)
	return known(binary(op, left, right))
}

// primary lowers an identifier, literal, statement expression or _Generic for its value.
func (b *functionLowerer) primary(e *cc.PrimaryExpression) value {
	switch e.Case {
	case cc.PrimaryExpressionIdent:
		return b.identifierValue(e)
	case cc.PrimaryExpressionInt, cc.PrimaryExpressionChar, cc.PrimaryExpressionLChar:
		if c := b.literal(e); c != nil {
			return known(c)
		}
	case cc.PrimaryExpressionString, cc.PrimaryExpressionLString:
		return b.load(e, b.lvalue(e))
	case cc.PrimaryExpressionStmt:
		// ({ … })
		return b.statementExpression(e)
	case cc.PrimaryExpressionGeneric:
		// _Generic: cc has chosen the association, see generic.go.
		if a := e.GenericSelection.Associated(); a != nil {
			return b.value(a.AssignmentExpression)
		}
	}
	return b.arbitrary(e, "%s", b.TextOf(e))
}

// identifierValue returns the value of an enumerator, function or object. An unknown place, such as
// that of an undeclared name, yields an arbitrary value.
func (b *functionLowerer) identifierValue(e *cc.PrimaryExpression) value {
	switch d := e.ResolvedTo().(type) {
	case *cc.Enumerator:
		// An enumeration constant.
		if c := b.layouts.EnumValue(d); c != nil {
			return known(c)
		}
	case *cc.Declarator:
		// A function, or an object: an array becomes the address of its first element.
		if isFunction(d) {
			return b.functionValue(d)
		}
		if p := b.lvalue(e); p.known() {
			return b.load(e, p)
		}
	}
	return b.arbitrary(e, "%s", e.Token.SrcStr())
}

// statementExpression lowers ({ … }) for the value of its last statement.
//
//	y = ({ int t = x; t + 1; })     t := x; $1 := t + 1; y := $1
//
// Without an expression as its last statement the value is void.
func (b *functionLowerer) statementExpression(e *cc.PrimaryExpression) value {
	result := void
	b.statementsBefore(e, func(last cc.ExpressionNode) {
		switch result = b.value(last); {
		// The value is copied: the end of the block may run cleanups.
		case result.expr != nil:
			t := b.temp(result.typ)
			b.assign(t.Ref(), result.expr)
			result = known(t.Ref())
		case result.addr != nil:
			t := b.aggregate(result.typ)
			b.copyTo(b.addressOf(t), result.addr, last.Type())
			result.addr = b.addressOf(t)
		}
	})
	return result
}

// statementExpressionInto lowers dst = ({ … }); it reports whether it did. This saves the temporary
// of statementExpression. If it returns false, nothing was emitted.
func (b *functionLowerer) statementExpressionInto(e *cc.PrimaryExpression, dst core.Loc) bool {
	if b.hasCleanups(e.CompoundStatement) {
		return false // cleanups run before the assignment
	}
	// Is its last item an expression?
	for l := e.CompoundStatement.BlockItemList; ; l = l.BlockItemList {
		if l == nil {
			return false // it has no value
		}
		if lastExpression(l) != nil {
			break
		}
	}
	b.statementsBefore(e, func(last cc.ExpressionNode) { b.into(dst, last) })
	return true
}

// statementsBefore lowers ({ … }) except its last expression, which do lowers.
func (b *functionLowerer) statementsBefore(e *cc.PrimaryExpression, do func(cc.ExpressionNode)) {
	b.inBlock(func() { b.statementsIn(e, do) })
}

// statementsIn is statementsBefore inside the block. If no item is a last expression, do is never
// called.
func (b *functionLowerer) statementsIn(e *cc.PrimaryExpression, do func(cc.ExpressionNode)) {
	defer b.endBlock(e.CompoundStatement, len(b.owed))
	for l := e.CompoundStatement.BlockItemList; l != nil; l = l.BlockItemList {
		last := lastExpression(l)
		if last == nil {
			b.blockItem(l.BlockItem)
			continue
		}
		// The last expression may have labels of its own.
		labels := l.BlockItem.Statement
		for labels.Case == cc.StatementLabeled {
			b.labelOnly(labels.LabeledStatement)
			labels = labels.LabeledStatement.Statement
		}
		b.step(ccfix.At(last.Position()), b.TextOf(last), func() { do(last.ExpressionList) })
	}
}

// lastExpression returns the expression statement that l, the rest of a block, consists of, labels
// aside; nil if it consists of anything else.
func lastExpression(l *cc.BlockItemList) *cc.ExpressionStatement {
	if l.BlockItemList != nil || l.BlockItem.Case != cc.BlockItemStmt {
		return nil
	}
	s := l.BlockItem.Statement
	for s != nil && s.Case == cc.StatementLabeled {
		s = s.LabeledStatement.Statement
	}
	if s == nil || s.Case != cc.StatementExpr || ctree.IsNil(s.ExpressionStatement.ExpressionList) {
		return nil
	}
	return s.ExpressionStatement
}

// postfix lowers a call, x++, x--, a compound literal, a[i], s.f or p->f for its value.
func (b *functionLowerer) postfix(e *cc.PostfixExpression) value {
	switch e.Case {
	case cc.PostfixExpressionCall:
		return b.callValue(e)
	case cc.PostfixExpressionInc, cc.PostfixExpressionDec:
		return b.postIncrement(e)
	case cc.PostfixExpressionComplit:
		if v, ok := b.scalarLiteral(e); ok {
			return v
		}
	}
	return b.load(e, b.lvalue(e))
}

// unaryValue lowers an expression with a unary operator for its value.
func (b *functionLowerer) unaryValue(e *cc.UnaryExpression) value {
	switch e.Case {
	case cc.UnaryExpressionInc, cc.UnaryExpressionDec:
		return b.increment(e.UnaryExpression, e.Case == cc.UnaryExpressionInc, true)
	case cc.UnaryExpressionAddrof:
		return b.addressValue(e)
	case cc.UnaryExpressionDeref:
		// *f of a function f is f.
		if elem := ccfix.PointedTo(e.CastExpression); elem != nil && elem.Kind() == cc.Function {
			return b.value(e.CastExpression)
		}
		return b.load(e, b.lvalue(e))
	case cc.UnaryExpressionSizeofExpr, cc.UnaryExpressionSizeofType, cc.UnaryExpressionAlignofExpr, cc.UnaryExpressionAlignofType:
		return b.sizeValue(e)
	}
	// Arithmetic: - ~ + !, which is also defined for pointers.
	op, arith := ctree.UnaryOperator(e)
	// &&label, __real__ and the like.
	if !arith {
		b.lose(e.CastExpression)
		return b.arbitrary(e, "%s", b.TextOf(e))
	}
	v := b.value(e.CastExpression)
	i, isInt := v.typ.(core.Int)
	if i.Float && op == core.BitNot {
		b.error(ccfix.At(e.Position()), "~ of a floating-point number is not defined")
		return b.arbitrary(e, "%s", b.TextOf(e))
	}
	if !isInt && (op != core.Not || !isScalarType(v.typ)) {
		b.lost(v)
		return b.arbitrary(e, "%s", b.TextOf(e))
	}
	// The value is a number, or a pointer for !.
	x := b.force(v)
	switch op {
	case core.Not:
		return known(isFalse(x))
	case core.Neg:
		// -x overflows where 0 - x does.
		b.operate(e, "", core.Sub, core.NewConst(0, core.Int32), x)
	case core.BitNot:
	// Unary plus only promotes.
	default:
		return known(promote(x))
	}
	return known(unary(op, x))
}

// sizeValue returns the value of sizeof or _Alignof, which an array of variable length makes an
// expression. For int a[n] the value of sizeof a is the variable that holds n, times 4.
func (b *frame) sizeValue(e *cc.UnaryExpression) value {
	if c := b.literal(e); c != nil {
		return known(c)
	}
	t, isInt := ctree.IntType(e.Type())
	// Not a constant: the operand has an array of variable length in it.
	var operand cc.Type
	switch e.Case {
	case cc.UnaryExpressionSizeofExpr:
		operand = ccfix.OperandType(e.UnaryExpression)
	case cc.UnaryExpressionSizeofType:
		operand = e.TypeName.Type()
	}
	if count, size, ok := b.variableSize(operand); ok && isInt {
		return known(binary(core.Mul, convert(count, t), core.NewConst(size, t)))
	}
	return b.arbitrary(e, "%s", b.TextOf(e))
}

// cast lowers (T)e for its value.
//
//	(char)x           a Conv to int8
//	(T *)n            a ToPtr; of a pointer plus a constant as a number: that pointer
//	(unsigned long)p  a ToInt
//	(union u)x        a temporary, whose member is set
//	(void)f()         the effects of f()
func (b *functionLowerer) cast(e *cc.CastExpression) value {
	// 1. Casts that are not conversions: of an address that is a constant, to a union (GNU C).
	t := b.coreType(e.TypeName.Type())
	b.layouts.RefusePackedEnum(ccfix.At(e.Position()), e.TypeName.Type())
	if i, isInt := t.(core.Int); isInt {
		if c := b.addressConstant(e, i); c != nil {
			return known(c)
		}
	}
	if u, ok := e.TypeName.Type().(*cc.UnionType); ok {
		if m := memberOfType(u, e.CastExpression.Type()); m != nil && b.coreType(e.CastExpression.Type()) != t {
			return b.unionCast(e, t, m)
		}
	}
	// 2. Conversions to and from types whose values are not represented, void included.
	b.typeSizes(e.TypeName.Type(), nil)
	v := b.value(e.CastExpression)
	_, void := t.(core.Void)
	switch {
	case void:
		b.drop(v)
		return value{typ: t}
	case !isScalarType(t):
		if v.typ == t {
			return v
		}
		b.lost(v)
		return value{typ: t}
	case !isScalarType(v.typ):
		if c := b.convertedLiteral(e.CastExpression, t); c != nil {
			return known(c)
		}
		b.lost(v)
		return b.arbitraryOf(e, t, "%s", b.TextOf(e))
	}
	// 3. Conversions between numbers and pointers.
	if _, fromPtr := v.typ.(core.Ptr); fromPtr && t != v.typ { // an address as a number
		b.pointers.compared = true
	}
	if _, isPtr := t.(core.Ptr); isPtr {
		return known(b.pointerCast(e, b.force(v)))
	}
	// An unknown value stays unknown without a node: (char)nondet_int() is any char.
	if i := t.(core.Int); v.expr == nil && everyValue(i, v.typ) {
		return value{typ: i, why: v.why, input: v.input}
	}
	return known(b.converted(b.force(v), t))
}

// memberOfType returns the first member of u whose type is compatible with t, or nil. (union u)x of
// GNU C initialises the first member that can hold x.
func memberOfType(u *cc.UnionType, t cc.Type) *cc.Field {
	for _, f := range members(u.NumFields(), u.FieldByIndex) {
		if t != nil && f.Type().IsCompatible(t) {
			return f
		}
	}
	return nil
}

// unionCast lowers (union u)x, where m is the member of u that x initialises. The bytes outside of
// m are arbitrary: the Fill comes first, then the store to m.
func (b *functionLowerer) unionCast(e *cc.CastExpression, t core.Type, m *cc.Field) value {
	v := b.aggregate(t)
	b.emit(&core.Fill{Dst: b.addressOf(v), Size: b.sizeOfAgg(t), Why: b.TextOf(e)})
	b.initialiseLeaf(leaf{place: b.field(place{addr: b.addressOf(v), typ: t, ctype: e.TypeName.Type()}, m, ccfix.At(e.Position())), expr: e.CastExpression})
	return value{typ: t, addr: b.addressOf(v)}
}

// everyValue reports whether the conversion from type from to t has every value of t as a result.
// It is so if bits are only cut off: then each result comes from some value. A conversion to _Bool
// or to a wider type would leave values out.
func everyValue(t core.Int, from core.Type) bool {
	w, _ := core.Word(from)
	// A conversion of floating-point numbers loses values, or is not defined for some.
	if w.Float || t.Float {
		return w == t
	}
	return !w.Bool && !t.Bool && t.Bits <= w.Bits
}
