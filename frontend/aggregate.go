package frontend

import (
	"fmt"

	"modernc.org/cc/v4"

	"c2bp/frontend/ccfix"
	"c2bp/frontend/core"
	"c2bp/frontend/ctree"
	"c2bp/source"
)

// This file lowers operations on whole structs, unions and arrays: copies, compound literals, string
// literals, arrays of variable length.

// aggregate makes a temporary variable of an aggregate type. It gets a block of its own, so other
// temporaries may have the same address after it.
func (b *frame) aggregate(t core.Type) *core.Var {
	v := b.temp(t)
	v.Block = b.ownBlock()
	return v
}

// sizeOfAgg returns the size of an object of type t as an expression; it is arbitrary where it is
// not known. The type of the result is the unsigned word of a pointer, as that of sizeExpr.
func (b *frame) sizeOfAgg(t core.Type) core.Expr {
	if n := core.Bytes(t); n > 0 {
		return core.NewConst(n, b.pointer().Word())
	}
	return b.force(value{typ: b.pointer().Word(), why: "a size that is not known"})
}

// sizeExpr returns the size of an object of C type t as an expression.
func (b *frame) sizeExpr(t cc.Type) core.Expr {
	if n, ok := b.layouts.SizeBytes(t); ok {
		return core.NewConst(n, b.pointer().Word())
	}
	if count, size, ok := b.variableSize(t); ok {
		return binary(core.Mul, convert(count, b.pointer().Word()), core.NewConst(size, b.pointer().Word()))
	}
	return b.force(value{typ: b.pointer().Word(), why: "a size that is not known"})
}

// copyTo copies an object of type t. The parts tell analyses which scalars are copied; they do not
// change the meaning.
func (b *frame) copyTo(dst, src core.Expr, t cc.Type) {
	b.emit(&core.Copy{Dst: dst, Src: src, Size: b.sizeExpr(t), Parts: b.parts(t), Of: b.recordType(t)})
}

// copyInto lowers p = n for a struct or union.
//
//	s = t             copy &s, &t
//	s = f(x)          call with the destination s
//	s = c ? t : u     a branch, with a copy on each side
func (b *functionLowerer) copyInto(p place, n cc.ExpressionNode) {
	// 1. Without a known destination anything in memory may change.
	n = ctree.Strip(n)
	if p.addr == nil {
		b.effect(n)
		b.unknownWrite(n)
		return
	}
	// 2. Expressions that store their value at p themselves, without a temporary.
	switch e := n.(type) {
	case *cc.ConditionalExpression:
		if !ctree.IsNil(e.ExpressionList) {
			b.choose(e, func(n cc.ExpressionNode) { b.copyInto(p, n) })
			return
		}
	case *cc.ExpressionList:
		for ; e.ExpressionList != nil; e = e.ExpressionList {
			b.effect(e.AssignmentExpression)
		}
		b.copyInto(p, e.AssignmentExpression)
		return
	case *cc.PrimaryExpression:
		if e.Case == cc.PrimaryExpressionStmt && !b.hasCleanups(e.CompoundStatement) {
			b.statementsBefore(e, func(last cc.ExpressionNode) { b.copyInto(p, last) })
			return
		}
	case *cc.PostfixExpression:
		if e.Case != cc.PostfixExpressionCall {
			break
		}
		// cc lets a number pass where a structure must be: that call has nothing to store here.
		if _, isAgg := b.coreType(e.Type()).(core.Agg); isAgg && b.call(e, &core.Mem{Addr: p.addr, Typ: p.typ}) {
			return
		}
	}
	// 3. Copy the object that n is. A volatile one, or one without an address, is arbitrary.
	t := p.ctype
	if t == nil {
		t = n.Type()
	}
	src := b.structure(n)
	if src.addr != nil {
		b.copyTo(p.addr, src.addr, t)
		if b.assumeKept(src); !src.volatile {
			return
		}
	}
	b.note(source.Note, ccfix.At(n.Position()), "%s is arbitrary", b.TextOf(n))
	b.emit(&core.Fill{Dst: p.addr, Size: b.sizeExpr(t), Why: b.TextOf(n)})
}

// choose lowers c ? x : y; do lowers each of x and y. Effects of c come first; do is called twice,
// once for each way.
func (b *functionLowerer) choose(e *cc.ConditionalExpression, do func(cc.ExpressionNode)) {
	yes, no, end := newLabel(), newLabel(), newLabel()
	b.cond(e.LogicalOrExpression, yes, no)
	b.place(yes)
	do(e.ExpressionList)
	b.jump(end)
	b.place(no)
	do(e.ConditionalExpression)
	b.place(end)
}

// maxParts bounds the number of parts that a copy lists. A longer list is cut off.
const maxParts = 256

// parts returns the scalars that an object of type t consists of, at most maxParts. A union has the
// parts of one of its biggest members, the one with the fewest scalars; a value that is not
// represented has the integers that its bytes are.
//
//	struct { int a; char b[4]; union { long l; char c; } u; }
//	    0: int32    4: int8, 4 times    8: int64
//
// Padding, members whose offset is not known, and unnamed bit-fields are left out.
func (l *typing) parts(t cc.Type) []core.Part {
	var out []core.Part
	var visit func(t cc.Type, off int64, f *cc.Field, bit int)
	visit = func(t cc.Type, off int64, f *cc.Field, bit int) {
		if t == nil || len(out) > maxParts {
			return
		}
		// A scalar, perhaps a bit-field.
		if s := l.scalarType(t); s != nil {
			if i, isInt := s.(core.Int); isInt && f != nil && f.IsBitfield() {
				s = core.Int{Bits: int(f.ValueBits()), Signed: i.Signed}
			}
			out = append(out, core.Part{Off: off, Typ: s, Bit: bit, Count: 1})
			return
		}
		switch t := t.(type) {
		default:
			if n, ok := l.layouts.SizeBytes(t); ok && t.Kind() != cc.Void && t.Kind() != cc.Function {
				if t.Kind() == cc.LongDouble {
					n = min(n, longDoubleBytes)
				}
				out = append(out, wordParts(off, n)...)
			}
		case *cc.UnionType:
			// The parts of a member that has all bytes.
			var widest []core.Part
			size, _ := l.layouts.SizeBytes(t)
			for i := range t.NumFields() {
				f := t.FieldByIndex(i)
				if n, ok := l.layouts.SizeBytes(f.Type()); ok && n == size && !f.IsBitfield() {
					if list := l.parts(f.Type()); widest == nil || scalars(list) < scalars(widest) {
						widest = list
					}
				}
			}
			for _, part := range widest {
				part.Off += off
				out = append(out, part)
			}
		case *cc.StructType:
			for i := range t.NumFields() {
				f := t.FieldByIndex(i)
				if f == nil || f.IsBitfield() && (f.Name() == "" || f.ValueBits() == 0) {
					continue
				}
				if at, bit, ok := l.layouts.FieldOffset(f); ok {
					visit(f.Type(), off+at, f, bit)
				}
			}
		case *cc.ArrayType:
			// An array of scalars is one part with a count.
			size, ok := l.layouts.SizeBytes(t.Elem())
			if n, known := l.layouts.Elements(t); ok && known && n > 0 {
				if s := l.scalarType(t.Elem()); s != nil {
					out = append(out, core.Part{Off: off, Typ: s, Count: n})
					return
				}
				for i := int64(0); i < n && len(out) <= maxParts; i++ {
					visit(t.Elem(), off+i*size, nil, 0)
				}
			}
		}
	}
	visit(t, 0, nil, 0)
	if len(out) > maxParts {
		out = out[:maxParts]
	}
	return out
}

// longDoubleBytes is the number of bytes of a long double that are not padding.
const longDoubleBytes = 10

// wordParts returns n bytes at off of something that is not represented, as integers.
//
//	10 bytes of a long double: a uint64 and a uint16
func wordParts(off, n int64) (out []core.Part) {
	for _, t := range []core.Int{core.Uint64, core.Uint32, core.Uint16, core.Uint8} {
		if size := core.Bytes(t); n >= size {
			out = append(out, core.Part{Off: off, Typ: t, Count: n / size})
			off, n = off+n/size*size, n%size
		}
	}
	return out
}

// scalars returns the number of scalars in parts.
func scalars(parts []core.Part) (n int64) {
	for _, p := range parts {
		n += p.Count
	}
	return n
}

// stringLiteral returns the variable that holds the string e, nil if its text is not known. Two
// literals with the same text are two variables: whether they are one object is not specified (C11
// 6.4.5p7).
func (l *program) stringLiteral(e *cc.PrimaryExpression) *core.Var {
	if v := l.strings[e]; v != nil {
		return v
	}
	text, _, _, ok := l.ReadString(e)
	if !ok {
		return nil
	}
	v := l.newString(ctree.TypeName(e.Type().Undecay(), 4), text, ccfix.At(e.Position()))
	l.strings[e] = v
	return v
}

// functionName returns the variable __func__. It is nil outside of functions: within is the
// function around a static variable.
func (b *frame) functionName() *core.Var {
	f := b.fn
	if f == nil {
		f = b.within
	}
	if f == nil {
		return nil
	}
	if f.nameVar == nil {
		f.nameVar = b.newString("char[]", append([]byte(f.name), 0), f.pos)
	}
	return f.nameVar
}

// newLiteral makes a global variable for a literal called what; text is its contents, nil if it is
// initialised elsewhere. gather gives it its final number; until then the name is preliminary.
func (l *program) newLiteral(what string, t core.Type, text []byte, pos source.Pos) *core.Var {
	v := &core.Var{Name: fmt.Sprintf("%s#%d", what, len(l.literals)+1), Type: t, Kind: core.Global, Pos: pos, AddrTaken: true, Literal: text != nil, Merged: text != nil, Text: text}
	l.literals = append(l.literals, literal{v, what, text})
	return v
}

// newString makes a global variable that holds a string.
func (l *program) newString(typ string, text []byte, pos source.Pos) *core.Var {
	return l.newLiteral("string", core.Agg{Name: typ, Size: int64(len(text))}, text, pos)
}

// literal is the variable that a literal stands for.
type literal struct {
	v    *core.Var
	what string // names it
	text []byte // nil: it is initialised elsewhere
}

// literalPlace lowers a compound literal: a variable, initialised here. In a loop it is one object
// that is initialised again in each round; its variable is kept in complits.
func (b *functionLowerer) literalPlace(e *cc.PostfixExpression) place {
	t := e.TypeName.Type()
	v := b.complits[e]
	if v == nil {
		pos := ccfix.At(e.Position())
		// At file scope it is a global, in a function a local of the block.
		if b.fn == nil { // of static storage duration
			v = b.newLiteral("literal", b.objectType(t), nil, pos)
			v.Merged = isConstType(t)
		} else {
			v = &core.Var{Name: b.fresh(fmt.Sprintf("literal@%d", pos.Line), pos), Type: b.objectType(t), Kind: core.Local, Proc: b.proc, Pos: pos, AddrTaken: true, Merged: isConstType(t)}
			v.Block = b.ownBlock()
			b.proc.Locals = append(b.proc.Locals, v)
		}
		b.complits[e] = v
	}
	p := b.at(b.addressOf(v), t, false, 0)
	b.initialiseList(p, e.InitializerList, false)
	return p
}

// scalarLiteral returns the value of a compound literal; ok is false if its type is no scalar type.
// (int){ x } needs no variable if only its value is used.
func (b *functionLowerer) scalarLiteral(e *cc.PostfixExpression) (value, bool) {
	t := b.scalarType(e.TypeName.Type())
	l := e.InitializerList
	if t == nil || l == nil || l.Initializer.Case != cc.InitializerExpr {
		return value{}, false
	}
	return known(b.scalarValue(l.Initializer.AssignmentExpression, t)), true
}

// variableSize returns the size of an array of variable length, or of an array of such: count
// elements of size bytes. ok is false for other types.
//
//	int a[n]          count n, size 4
//	int a[n][10]      count n, size 40
//	int a[n][m]       count n * m, size 4
func (b *frame) variableSize(t cc.Type) (count core.Expr, size int64, ok bool) {
	a, isArray := t.(*cc.ArrayType)
	if !isArray {
		return nil, 0, false
	}
	word := b.pointer().Word()
	// 1. The number of elements.
	var n core.Expr
	if v := b.lengths[a.SizeExpression()]; v != nil {
		n = v.Ref()
	} else if elements, known := b.layouts.Elements(a); known && !a.IsVLA() {
		n = core.NewConst(elements, word)
	} else {
		return nil, 0, false
	}
	// 2. The size of an element, which may be variable, too.
	if size, ok = b.layouts.SizeBytes(a.Elem()); ok {
		return n, size, true
	}
	if count, size, ok = b.variableSize(a.Elem()); ok {
		return binary(core.Mul, n, count), size, true
	}
	return nil, 0, false
}

// isVariableArray reports whether t is an array whose size is not constant.
func isVariableArray(t cc.Type) bool {
	a, ok := t.(*cc.ArrayType)
	return ok && !ctree.FixedSize(a)
}

// typeSizes evaluates the sizes of the arrays of variable length in the type t of d. The sizes of a
// typedef were evaluated at its declaration. d is nil for a type name. Pointers are followed,
// because the step of int (*p)[n] depends on n.
func (b *functionLowerer) typeSizes(t cc.Type, d *cc.Declarator) {
	for depth := 0; t != nil && depth < 64; depth++ {
		// The sizes in a typedef are evaluated at its declaration.
		if def := t.Typedef(); def != nil && def != d {
			return
		}
		switch x := t.(type) {
		case *cc.PointerType:
			t = x.Elem()
		case *cc.ArrayType:
			t = x.Elem()
			if n := x.SizeExpression(); !ctree.IsNil(n) {
				b.arrayLength(n)
			}
		default:
			return
		}
	}
}

// arrayLength evaluates n, the length of an array, unless it is constant. The variable stays the
// same if the declaration is executed again; only its value changes.
//
//	int a[n + 1]     $1 := n + 1; a := alloc $1 * 4 bytes on the stack
func (b *functionLowerer) arrayLength(n cc.ExpressionNode) {
	if _, isConst := b.constantValue(n); isConst {
		return
	}
	word := b.pointer().Word()
	b.step(ccfix.At(n.Position()), b.TextOf(n), func() {
		// 1. The temporary: one for each array in the text.
		v := b.lengths[n]
		if v == nil {
			v = b.temp(word)
			b.lengths[n] = v
		}
		b.assign(v.Ref(), b.scalarValue(n, word))
	})
}

// constantValue returns the value of n if it is an integer constant expression. const variables are
// none, in C as here.
func (l *program) constantValue(n cc.ExpressionNode) (*core.Const, bool) {
	x, err := l.pure(n, nil)
	if err != nil {
		return nil, false
	}
	c, ok := x.(*core.Const)
	return c, ok
}
