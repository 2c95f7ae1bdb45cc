package frontend

import (
	"bytes"

	"modernc.org/cc/v4"

	"c2bp/frontend/core"
	"c2bp/frontend/ctree"
)

// This file says what memcmp, strcmp and their like return where they compare a few bytes: where the
// number of bytes is a small constant, or one of the strings is a short literal. For other calls the
// models of models/lib/models.c stand, which leave the result open, since it would take a loop to
// say.
// strcmp(s, "ab") is, with the comparisons written out,
//
//	s[0] != 'a' ? different at 0 : s[1] != 'b' ? different at 1 : s[2] != 0 ? different at 2 : 0
//
// where "different at i" is a number that is less than 0 if s[i], as an unsigned char, is less than
// the other byte, and greater if it is greater. C says no more of it. In many runs it is 1 or -1,
// which a program can really see, and in the others any number of that sign.

// maxCompared is the number of bytes up to which a comparison is written out.
const maxCompared = 16

// byteComparison is a call of memcmp, strcmp or the like.
type byteComparison struct {
	x, y    compared
	count   int  // of the bytes that are compared, unless they differ or end before
	strings bool // a byte 0 in both is the end
}

// compared is one of the two texts: that of a literal, or where it is.
type compared struct {
	text []byte
	at   core.Expr // a pointer; nil for a literal
}

// byte is byte i of x, as an int.
func (x compared) byte(i int) core.Expr {
	if x.at == nil {
		return core.NewConst(int64(x.text[i]), core.Int32)
	}
	return to(mem(offset(x.at, int64(i), ""), core.Uint8), core.Int32)
}

// comparisonCall lowers a call for which the built-in model m stands, if it compares a few bytes, and
// reports whether it does.
func (b *functionLowerer) comparisonCall(e *cc.PostfixExpression, m *model, dst core.Loc) bool {
	// 1. Is it one of few bytes?
	c, ok := b.comparisonOf(m, ctree.Arguments(e))
	if !ok {
		return false
	}
	// 2. The arguments; the texts of literals are known.
	b.useModel(m)
	types := []core.Type{b.pointer(), b.pointer()}
	if len(ctree.Arguments(e)) > 2 {
		n, _ := core.Word(b.pointer())
		types = append(types, n)
	}
	args, _ := b.argumentValues(e, types)
	for i, x := range []*compared{&c.x, &c.y} {
		if x.text != nil {
			continue
		}
		// The value is read several times, and only once here.
		x.at = args[i]
		if readsMemory(x.at) {
			t := b.temp(b.pointer())
			b.assign(t.Ref(), x.at)
			x.at = t.Ref()
		}
	}
	// 3. The result. memcmp may compare the bytes of pointers, and the result then tells of the
	// addresses.
	b.assumeAccess()
	if !c.strings {
		b.comparedIsKnown(c)
	}
	if dst != nil {
		b.withResult(core.Int32, nil, b.stable(dst), m.name, func(dst core.Loc) { b.storeComparison(c, dst, m.name) })
	}
	return true
}

// comparisonOf returns the comparison that a call of the function of m makes, and whether that is a few bytes.
// A model in a file given by the user is not replaced: it may say something else.
func (l *program) comparisonOf(m *model, args []cc.ExpressionNode) (c byteComparison, ok bool) {
	if m.file != "" {
		return c, false
	}
	// 1. Which function is it, and does it have a bound?
	bounded := false
	switch m.name {
	case "memcmp", "bcmp":
		bounded = true
	case "strncmp":
		bounded, c.strings = true, true
	case "strcmp":
		c.strings = true
	default:
		return c, false
	}
	// It stays above the bound for strcmp, whose literal decides on the number of bytes.
	// 2. The bound: a small constant. Without one it stays too large until a literal decides.
	limit := maxCompared + 1
	if bounded {
		n, isConst := l.constantValue(args[2])
		switch {
		case isConst && n.Val.IsInt64() && n.Val.Int64() >= 0 && n.Val.Int64() <= maxCompared:
			limit = int(n.Val.Int64())
		case !c.strings:
			return c, false
		case !isConst: // it may be less than the literal is long
			return c, false
		}
	}
	// 3. The literals among the two texts. A string ends with the byte 0, which is compared, too.
	c.count = limit
	for i, x := range []*compared{&c.x, &c.y} {
		text, width, literal := l.StringBytes(args[i])
		if !literal || width != 1 {
			continue
		}
		if x.text = text; c.strings {
			text, _, _ = bytes.Cut(text, []byte{0})
			x.text = append(bytes.Clone(text), 0)
			c.count = min(c.count, len(x.text))
		}
		if len(x.text) < c.count {
			return c, false // it is read past its end
		}
	}
	if c.count > maxCompared {
		return c, false
	}
	return c, true
}

// comparedIsKnown lets the result depend on the bytes that are compared: on the numbers of the
// addresses that they hold.
func (b *frame) comparedIsKnown(c byteComparison) {
	n, _ := core.Word(b.pointer())
	h := &core.Havoc{Why: "what a library function reads"}
	for _, x := range []compared{c.x, c.y} {
		if x.at != nil {
			h.From = append(h.From, core.Source{At: x.at, Size: core.NewConst(int64(c.count), n), Outside: true})
		}
	}
	if len(h.From) > 0 {
		b.emit(h)
	}
}

// storeComparison stores the result of c in dst; name is that of the function.
func (b *frame) storeComparison(c byteComparison, dst core.Loc, name string) {
	v, sign := b.temp(core.Int32), b.temp(core.Int32)
	// 1. Compare byte by byte; the first difference decides.
	equal, different, end := newLabel(), newLabel(), newLabel()
	for i := range c.count {
		x, y := c.x.byte(i), c.y.byte(i)
		next, differ := newLabel(), newLabel()
		b.testExpr(binary(core.Eq, x, y), next, differ)
		b.place(differ)
		if b.reachable() {
			// sign = x < y ? -1 : 1
			less := to(binary(core.Lt, x, y), core.Int32)
			b.assign(sign.Ref(), binary(core.Sub, core.NewConst(1, core.Int32), binary(core.Mul, core.NewConst(2, core.Int32), less)))
			b.jump(different)
		}
		b.place(next)
		if c.strings && c.x.at != nil && c.y.at != nil && i+1 < c.count { // a literal ends last
			more := newLabel()
			b.testExpr(x, more, equal)
			b.place(more)
		}
	}
	// 2. The results where no byte differs, and where one does.
	b.place(equal)
	b.assign(v.Ref(), core.NewConst(0, core.Int32))
	b.jump(end)
	b.place(different)
	if b.reachable() {
		b.differing(v, sign, name)
	}
	b.place(end)
	b.assign(dst, to(v.Ref(), dst.Type()))
}

// differing stores in v the value of sign, -1 or 1, or another number of that sign.
//
//	free: v := sign    or    v := any number; if its sign is another one or it is 0: v := sign
func (b *frame) differing(v, sign *core.Var, name string) {
	end, bad, other := newLabel(), newLabel(), newLabel()
	// The first way is certain to be possible in reality: the result is 1 or -1.
	choice := b.branch()
	b.arm(choice)
	b.emit(&core.Skip{}).Free = true
	b.jump(bad)
	b.arm(choice)
	b.emit(&core.Havoc{Locs: []core.Loc{v.Ref()}, Why: name})
	// On the other way v is not 0, and has the sign of sign; a v that is not so is replaced.
	b.testExpr(v.Ref(), other, bad)
	b.place(other)
	zero := core.NewConst(0, core.Int32)
	b.testExpr(binary(core.Eq, binary(core.Lt, v.Ref(), zero), binary(core.Lt, sign.Ref(), zero)), end, bad)
	b.place(bad)
	b.assign(v.Ref(), sign.Ref())
	b.place(end)
}
