package frontend

import (
	"strings"

	"modernc.org/cc/v4"

	"c2bp/frontend/ccfix"
	"c2bp/frontend/core"
	"c2bp/frontend/ctree"
)

// This file tracks pointers through values that are not represented: long double, vectors, integers of
// 128 bits; float and double in 32-bit programs. Such values are arbitrary, but a pointer that is made
// from one leads to the objects from which its bits came:
//
//	long double d = (unsigned long)&x;        havoc from (uint64)&x
//	*(vector *)&q = *(vector *)&p;            havoc from 16 bytes at &p; havoc q

// lose evaluates n, whose value becomes part of one that is not represented. Effects of n are
// lowered in any case; a Havoc with From notes the addresses that its value may hold.
func (b *functionLowerer) lose(n cc.ExpressionNode) {
	if ctree.IsNil(n) {
		return
	}
	if !b.mayCarry(n) {
		b.effect(n)
		return
	}
	b.lost(b.value(n))
}

// loseArguments evaluates the arguments of a function whose result is arbitrary but depends on the
// numbers among them: __builtin_bswap64, fabs.
func (b *functionLowerer) loseArguments(e *cc.PostfixExpression) {
	args := ctree.Arguments(e)
	b.checkOrderOf(e, nodes(args)...)
	for _, a := range args {
		switch b.coreType(a.Type()).(type) {
		case core.Int, core.Opaque:
			b.lose(a)
		default:
			b.effect(a)
		}
	}
}

// loseAll evaluates the expressions in init, which initialise parts of a value that is not
// represented.
func (b *functionLowerer) loseAll(init *cc.Initializer) {
	if init.Case == cc.InitializerExpr {
		b.lose(init.AssignmentExpression)
		return
	}
	for l := init.InitializerList; l != nil; l = l.InitializerList {
		b.loseAll(l.Initializer)
	}
}

// lost notes that v becomes part of a value that is not represented, or is not followed further.
// Nothing is emitted for a constant, as in d = 1, which carries no address.
func (b *frame) lost(v value) {
	if x, ok := b.source(v); ok {
		b.emit(&core.Havoc{From: []core.Source{x}, Why: "what has no value here"})
	}
}

// source returns v as a source of addresses; ok is false if it cannot carry any. A constant carries
// none. For an unknown value the node of its input is emitted.
func (b *frame) source(v value) (x core.Source, ok bool) {
	switch {
	case v.expr != nil:
		_, isConst := v.expr.(*core.Const)
		return core.Source{Value: v.expr}, !isConst
	// An object of unknown size may carry addresses in any number of bytes.
	case v.addr != nil:
		if n := core.Bytes(v.typ); n > 0 {
			x.Size = core.NewConst(n, b.pointer().Word())
		}
		x.At = v.addr
		return x, true
	}
	b.drop(v)
	return core.Source{}, false
}

// printed evaluates n, argument number i after the format of a function that prints. The printed
// text may be read again: an address in it escapes. The pointer of %s does not. printf("%p", p)
// prints p, and sscanf may make a pointer of the text; "%s" prints the characters there.
func (b *functionLowerer) printed(n, format cc.ExpressionNode, i int) {
	text, _, literal := b.StringBytes(format)
	t, scalar := core.Word(b.coreType(n.Type()))
	if list, ok := conversions(string(text)); !scalar || t.Bits < b.pointer().Bits || literal && ok && i < len(list) && list[i] == 's' {
		b.effect(n)
		return
	}
	// A number as wide as an address, or a pointer, may be read back.
	v := b.value(n)
	if v.expr == nil || !isScalarType(v.typ) {
		b.drop(v)
		return
	}
	if _, isConst := v.expr.(*core.Const); isConst {
		return
	}
	b.emit(&core.Havoc{From: []core.Source{{Value: v.expr, Outside: true}}, Why: "it is printed"})
}

// conversions returns the conversion specifiers of a format of printf by argument, * for a width or
// precision; ok is false if they name their arguments by number. For "%d: %*s%%\n" it is d * s.
func conversions(format string) (list []byte, ok bool) {
	for {
		_, rest, found := strings.Cut(format, "%")
		if !found {
			return list, true
		}
		// Flags, width, precision and length.
		for rest != "" && strings.IndexByte("-+ #0123456789.*'hlLjztqIw$", rest[0]) >= 0 {
			switch rest[0] {
			case '$':
				return nil, false
			case '*':
				list = append(list, '*')
			}
			rest = rest[1:]
		}
		if rest == "" {
			return list, true
		}
		// %% and %m take no argument.
		if rest[0] != '%' && rest[0] != 'm' {
			list = append(list, rest[0])
		}
		format = rest[1:]
	}
}

// mayCarry reports whether the value of n may contain an address: it depends on more than literals and
// variables that are not represented and whose addresses are not taken. Addresses in those were noted
// when they were stored.
func (l *program) mayCarry(n cc.ExpressionNode) (found bool) {
	// Members, elements, calls and dereferences count as carriers.
	ctree.Walk(n, func(n cc.Node) bool {
		switch e := n.(type) {
		case *cc.PrimaryExpression:
			switch e.Case {
			case cc.PrimaryExpressionIdent:
				found = found || !l.isUnrepresented(e)
			case cc.PrimaryExpressionStmt:
				found = true
			}
		case *cc.PostfixExpression, *cc.UnaryExpression:
			found = true
		}
		return !found
	})
	return found
}

// isRepresented reports whether values of type t, or of its members, are followed.
func (l *sources) isRepresented(t core.Type) bool {
	_, opaque := t.(core.Opaque)
	return !opaque
}

// isUnrepresented reports whether e names a variable whose value is not followed: its type is not
// represented, and its address is not taken.
func (l *program) isUnrepresented(e *cc.PrimaryExpression) bool {
	d, ok := e.ResolvedTo().(*cc.Declarator)
	if !ok || l.vars[d] == nil {
		return false
	}
	_, opaque := l.vars[d].Type.(core.Opaque)
	return opaque && !l.vars[d].AddrTaken
}

// copyOpaque lowers p = n as a copy of bytes, if n is a place in memory of the same type, and loads
// and stores of the type keep all bits. It reports whether it did. If it returns false, nothing was
// emitted.
func (b *functionLowerer) copyOpaque(p place, n cc.ExpressionNode) bool {
	n = ctree.Strip(n)
	if id, ok := n.(*cc.PrimaryExpression); ok && id.Case != cc.PrimaryExpressionIdent {
		return false
	}
	dst := b.opaqueAddress(p)
	if _, _, literal := ccfix.FloatLiteral(n); literal || dst == nil || !isLvalue(n) || b.coreType(n.Type()) != p.typ || !b.keepsBits(p.ctype) {
		return false
	}
	// Copy the bytes, if both sides have an address.
	src := b.lvalue(n)
	if from := b.opaqueAddress(src); from != nil {
		b.emit(&core.Copy{Dst: dst, Src: from, Size: core.NewConst(core.Bytes(p.typ), b.pointer().Word()), Parts: b.parts(p.ctype)})
		return true
	}
	b.lost(b.load(n, src))
	b.havocOpaque(p)
	return true
}

// opaqueAddress returns the address of the bytes of p, of a type that is not represented; nil if they are
// not followed, or others may change them.
func (l *sources) opaqueAddress(p place) core.Expr {
	switch {
	case p.volatile || core.Bytes(p.typ) == 0:
		return nil
	case p.v == nil:
		return p.addr
	case p.v.AddrTaken:
		return l.addressOf(p.v)
	}
	return nil
}

// keepsBits reports whether loads and stores of type t keep all bits. A long double has padding,
// and the floating-point registers of i386 change some bit patterns. A copy of bytes would claim
// too much for the others: stored padding need not be kept.
func (l *sources) keepsBits(t cc.Type) bool {
	switch {
	case t == nil || l.opts.Bits32:
		return false
	case t.VectorSize() > 0:
		return true
	}
	switch t.Kind() {
	case cc.Float, cc.Double, cc.ComplexFloat, cc.ComplexDouble, cc.Int128, cc.UInt128:
		return true
	}
	return false
}
