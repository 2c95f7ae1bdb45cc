package layout

import (
	"math/big"
	"strings"

	"modernc.org/cc/v4"

	"c2bp/frontend/ccfix"
	"c2bp/frontend/core"
	"c2bp/frontend/ctree"
	"c2bp/source"
)

// This file computes sizes and alignments as gcc does on x86 (System V ABI, 64 and 32
// bits; gcc's stor-layout.cc where the ABI says nothing). cc/v4 has its own, which are
// wrong for packed structs and enumerations, bit-fields, vectors and some alignments; so
// what cc has computed from them, like array bounds and enumeration constants, is not
// believed either: see knownLayout.

// Layout is the layout of a type. The zero Layout is an unknown one.
//
//	struct { char c; int f : 5; }     Size 4, align 4, at {0, 0} and {1, 0}
type Layout struct {
	Size  int64 // bytes
	align int64 // bytes, as __alignof__ says
	user  bool  // the alignment was asked for by an attribute
	whole bool  // a member of an atomic type: aligned by its size, also where others are not
	Known bool
	at    []position // of the members of a struct or union, by their index
}

// position is where a member starts.
type position struct {
	Byte int64
	Bit  int // 0 but for bit-fields
}

// word returns the size of a pointer, in bytes.
func (l *Table) word() int64 {
	if l.bits32 {
		return 4
	}
	return 8
}

// biggestAlignment is the alignment for the attribute aligned without a number, in bytes.
const biggestAlignment = 16

// Of computes the layout of t, which may be nil. It is kept for each type; a type that depends on
// its own layout, through a sizeof in it, has none.
func (l *Table) Of(t cc.Type) Layout {
	if t == nil {
		return Layout{}
	}
	if r := l.memo[t]; r != nil {
		return *r // not known while it is being computed
	}
	r := &Layout{}
	l.memo[t] = r
	*r = l.renamed(t, l.derived(t))
	return *r
}

// derived returns the layout of t without the attributes of typedefs. An array is aligned as its
// elements are.
func (l *Table) derived(t cc.Type) Layout {
	if n := t.VectorSize(); n > 0 {
		return Layout{Size: n, align: n, Known: true}
	}
	switch t := t.(type) {
	case *cc.ArrayType:
		elem := l.Of(t.Elem())
		n, ok := l.Elements(t)
		elem.Size *= n
		elem.Known = elem.Known && ok
		elem.at = nil
		return elem
	case *cc.StructType:
		return l.record(t, t.IsIncomplete(), false)
	case *cc.UnionType:
		return l.record(t, t.IsIncomplete(), true)
	case *cc.EnumType:
		return l.enumeration(t)
	}
	size, align := l.scalar(t.Kind())
	return Layout{Size: size, align: align, Known: size > 0}
}

// renamed applies the attributes of the typedef that t is named by to its layout r.
//
//	typedef int aligned_int __attribute__((aligned(8)));   Size 4, align 8
func (l *Table) renamed(t cc.Type, r Layout) Layout {
	d := t.Typedef()
	if d == nil {
		return r
	}
	// 1. Nothing is known of a typedef that was not noted, or with an attribute that is not
	// understood. Those of the compiler's own text have none; cc understands the sizes of vectors.
	pos := ccfix.RawAt(d.NameTok().Position())
	note := l.typedefs[pos]
	switch {
	case note == nil:
		r.Known = r.Known && isPreludeFile(pos.File)
		return r
	case note.odd != "" && !(note.odd == "vector_size" && t.VectorSize() > 0):
		r.Known = false
		return r
	}
	// 2. An alignment that the type asked for before counts for its new name.
	if note.base != nil && note.base != t {
		switch base := l.Of(note.base); {
		case base.user:
			r.align, r.user = base.align, true
		case base.whole:
			r.align, r.whole = base.align, true
		}
	}
	// 3. Its own attributes come last, and take the place of the others.
	align, ok := l.alignment(note.attributes)
	r.Known = r.Known && ok && l.atomic(t, note.attributes, &r)
	if align > 0 {
		r.align, r.user = align, true
	}
	return r
}

// atomic applies _Atomic, if a has it, to the layout r of t; it reports false if the
// change is not known. Scalars of 8 bytes are aligned by 8, which those of 32-bit programs
// are not otherwise.
func (l *Table) atomic(t cc.Type, a attributes, r *Layout) bool {
	// An array is aligned as its elements.
	isArray := false
	for {
		array, ok := t.(*cc.ArrayType)
		if !ok {
			break
		}
		t, isArray = array.Elem(), true
	}
	if !a.atomic || !isArray && r.at == nil && r.Size <= l.word() {
		return true
	}
	// How gcc aligns an atomic struct, vector or enumeration is not worked out here.
	if !cc.IsScalarType(t) || t.VectorSize() > 0 || r.user {
		return false
	}
	size, _ := l.scalar(t.Kind())
	if _, isEnum := t.(*cc.EnumType); isEnum {
		return false
	}
	switch {
	case size < 1 || size > 8:
		return false
	case size == 8:
		r.align, r.whole = 8, true
	}
	return true
}

// alignment returns the alignment that a asks for in bytes, 0 if none; known is false if it is not
// constant.
func (l *Table) alignment(a attributes) (align int64, known bool) {
	for i, r := range a.align {
		n := int64(biggestAlignment)
		switch {
		case r.expr != nil:
			x, err := l.lowering.Pure(r.expr)
			c, ok := x.(*core.Const)
			if err != nil || !ok || !c.Val.IsInt64() {
				return 0, false
			}
			n = c.Val.Int64()
		case r.typ != nil:
			n, known = l.minAlign(r.typ)
			if !known {
				return 0, false
			}
		}
		// Zero asks for nothing (C11 6.7.5). Of several requests the strictest would count: only
		// equal ones are understood.
		if n < 0 || n > 1<<28 || n&(n-1) != 0 || i > 0 && n != align {
			return 0, false
		}
		align = n
	}
	return align, true
}

// scalar returns the size and alignment of a type that is not derived from others, 0 if it is none.
// The alignment is that of an object on its own, see narrowed. void and functions have size 1 in
// GNU C.
func (l *Table) scalar(k cc.Kind) (size, align int64) {
	word := l.word()
	switch k {
	case cc.Void, cc.Function, cc.Bool, cc.Char, cc.SChar, cc.UChar:
		return 1, 1
	case cc.Short, cc.UShort, cc.Float16, cc.BFloat16:
		return 2, 2
	case cc.Int, cc.UInt, cc.Float, cc.Float32, cc.Decimal32:
		return 4, 4
	case cc.Long, cc.ULong, cc.Ptr:
		return word, word
	case cc.LongLong, cc.ULongLong, cc.Double, cc.Float64, cc.Float32x, cc.Decimal64:
		return 8, 8
	// The x87 format of 80 bits, padded.
	case cc.LongDouble, cc.Float64x:
		if word == 4 {
			return 12, 4
		}
		return 16, 16
	case cc.Int128, cc.UInt128, cc.Float128, cc.Decimal128:
		return 16, 16
	case cc.ComplexFloat:
		return 8, 4
	case cc.ComplexDouble:
		return 16, 8
	case cc.ComplexLongDouble:
		if word == 4 {
			return 24, 4
		}
		return 32, 16
	}
	return 0, 0
}

// narrowed returns the alignment in a struct of a type whose own is align bytes: on 32-bit systems,
// 4 bytes at most for integers and floating point numbers of 8, and for arrays of them.
func (l *Table) narrowed(t cc.Type, align int64) int64 {
	if !l.bits32 {
		return align
	}
	for {
		a, ok := t.(*cc.ArrayType)
		if !ok {
			break
		}
		t = a.Elem()
	}
	// A vector keeps its alignment.
	if t.VectorSize() > 0 {
		return align
	}
	switch t.Kind() {
	case cc.Enum, cc.LongLong, cc.ULongLong, cc.Double, cc.Float64, cc.Float32x, cc.ComplexDouble:
		return min(align, 4)
	}
	return align
}

// Elements returns the number of elements of array t; known is false if that is not constant
// or not known. Without a number, as at the end of a struct, it is 0.
func (l *Table) Elements(t *cc.ArrayType) (n int64, known bool) {
	e := t.SizeExpression()
	if ctree.IsNil(e) {
		// As in int w[] = { L"ab" }, see count.go; cc knows the others, and has -1 for no length.
		if n, ok := l.counted[t]; ok {
			return n, true
		}
		return max(t.Len(), 0), true
	}
	if x, err := l.lowering.Pure(e); err == nil {
		c, ok := x.(*core.Const)
		if !ok || !c.Val.IsInt64() || c.Val.Sign() < 0 {
			return 0, false
		}
		return c.Val.Int64(), true
	}
	// If the lowering cannot evaluate the length, cc may: its value is right unless it depends on
	// layouts.
	return max(t.Len(), 0), t.Len() >= 0 && ctree.Integer(e.Value()) != nil && e.Pure() && !l.DependsOnLayout(e)
}

// enumeration returns the layout of an enumeration type: that of its underlying type or, if it is
// packed, of the smallest integer type that holds all constants.
func (l *Table) enumeration(t *cc.EnumType) Layout {
	if !l.IsPackedEnum(t) {
		size, align := l.scalar(t.UnderlyingType().Kind())
		return Layout{Size: size, align: align, Known: size > 0}
	}
	least, most := new(big.Int), new(big.Int)
	for _, e := range t.Enumerators() {
		c := l.EnumValue(e)
		if c == nil {
			return Layout{}
		}
		if c.Val.Cmp(least) < 0 {
			least = c.Val
		}
		if c.Val.Cmp(most) > 0 {
			most = c.Val
		}
	}
	// The constants decide the sign: without a negative one the type is unsigned.
	for _, bits := range []int{8, 16, 32, 64} {
		i := core.Int{Bits: bits, Signed: least.Sign() < 0}
		if i.Contains(least) && i.Contains(most) {
			return Layout{Size: int64(bits / 8), align: int64(bits / 8), Known: true}
		}
	}
	return Layout{}
}

// IsPackedEnum reports whether t is an enumeration with the attribute packed. One constant that was
// noted as such tells.
func (l *Table) IsPackedEnum(t cc.Type) bool {
	enum, ok := t.(*cc.EnumType)
	if !ok {
		return false
	}
	for _, e := range enum.Enumerators() {
		if l.packed[ccfix.RawAt(e.Token.Position())] {
			return true
		}
	}
	return false
}

// NoPackedEnum is the message where such a type cannot be used.
const NoPackedEnum = "a packed enumeration is not supported: use the integer type that holds it"

// RefusePackedEnum refuses a variable of a packed enumeration: the parser computes with
// another width.
func (l *Table) RefusePackedEnum(pos source.Pos, t cc.Type) {
	if l.IsPackedEnum(t) {
		l.lowering.Error(pos, NoPackedEnum)
	}
}

// minAlign returns the value of _Alignof(t): the alignment of t in a struct. That of a long long is
// 4 on 32-bit systems, while __alignof__ says 8.
func (l *Table) minAlign(t cc.Type) (align int64, known bool) {
	r := l.Of(t)
	if !r.user {
		return l.narrowed(t, min(r.align, biggestAlignment)), r.Known
	}
	return r.align, r.Known
}

// NoteAlignment notes the alignment of v, declared with type t. An attribute of the declaration may
// ask for another one than the type; then, and if it is not known, nothing is noted.
func (l *Table) NoteAlignment(v *core.Var, t cc.Type) {
	n, known := l.minAlign(t)
	if !known || n > biggestAlignment || t.Attributes() != nil && t.Attributes().Aligned() > 0 {
		return
	}
	if l.bits32 {
		n = min(n, 4) // the stack is not aligned further everywhere
	}
	v.Align = n
}

// SizeBytes returns the size of an object of type t; known is false if it is not constant or
// not known.
func (l *Table) SizeBytes(t cc.Type) (size int64, known bool) {
	if t == nil || t.IsIncomplete() || !ctree.FixedSize(t) {
		return 0, false
	}
	r := l.Of(t)
	if !r.Known {
		return 0, false
	}
	return r.Size, true
}

// Measure returns the value of n, sizeof or an alignment; nil if it is not known.
func (l *Table) Measure(n *cc.UnaryExpression) *big.Int {
	var t cc.Type
	// 1. The type of the operand; a string has a length of its own.
	switch n.Case {
	case cc.UnaryExpressionSizeofType, cc.UnaryExpressionAlignofType:
		t = n.TypeName.Type()
	default:
		switch text, _, wrong, ok := l.parser.ReadString(n.UnaryExpression); {
		case !ccfix.IsString(n.UnaryExpression):
		case !ok:
			return nil // cc has it wrong
		case wrong != 0:
			return big.NewInt(int64(len(text)))
		}
		t = ccfix.OperandType(n.UnaryExpression)
	}
	if t == nil {
		return nil
	}
	// 2. Its size or alignment.
	var v int64
	var known bool
	switch n.Case {
	case cc.UnaryExpressionSizeofType:
		v, known = l.SizeBytes(t)
	case cc.UnaryExpressionSizeofExpr:
		// The lowering knows the promotions: sizeof(c + c) is 4 for a char c.
		if i, ok := l.lowering.IntegerType(n.UnaryExpression); ok {
			return big.NewInt(intBytes(i))
		}
		v, known = l.SizeBytes(t)
	case cc.UnaryExpressionAlignofType:
		v, known = l.AlignOf(n.Token.SrcStr(), t)
	case cc.UnaryExpressionAlignofExpr:
		// The alignment of an object may be greater than that of its type.
		if _, isName := ctree.Strip(n.UnaryExpression).(*cc.PrimaryExpression); !isName || hasObjectAlignment(n.UnaryExpression) {
			return nil
		}
		v, known = l.AlignOf(n.Token.SrcStr(), t)
	}
	if !known {
		return nil
	}
	return big.NewInt(v)
}

// intBytes returns the size of values of type t, which may be that of a bit-field: the least power
// of two of bytes that holds it.
func intBytes(t core.Int) int64 {
	n := int64(1)
	for 8*n < int64(t.Bits) {
		n *= 2
	}
	return n
}

// AlignOf returns the value of keyword(t): __alignof__ means the preferred alignment, _Alignof the
// one in a struct. The second result is false if that is not known.
func (l *Table) AlignOf(keyword string, t cc.Type) (int64, bool) {
	if t == nil || t.IsIncomplete() && !isOpenArray(t) || t.Kind() == cc.Function {
		return 0, false
	}
	// __alignof__ of a long long is 8, also where a struct aligns it by 4.
	if strings.HasPrefix(keyword, "__") {
		r := l.Of(t)
		return r.align, r.Known
	}
	return l.minAlign(t)
}

// hasObjectAlignment reports whether n names an object that may have an alignment of its
// own.
func hasObjectAlignment(n cc.ExpressionNode) bool {
	p, ok := ctree.Strip(n).(*cc.PrimaryExpression)
	if !ok {
		return true
	}
	d, ok := p.ResolvedTo().(*cc.Declarator)
	return !ok || d.Type() == nil || d.Type().Attributes() != nil && d.Type().Attributes().Aligned() > 0
}

// isOpenArray reports whether t is an array without a number of elements.
func isOpenArray(t cc.Type) bool {
	a, ok := t.(*cc.ArrayType)
	return ok && a.Len() < 0 && !a.IsVLA()
}

// isPreludeFile reports whether name is the text before a file, with declarations of the compiler.
func isPreludeFile(name string) bool { return name == "<predefined>" || name == "<builtin>" }
