package frontend

import (
	"strings"

	"modernc.org/cc/v4"

	"c2bp/frontend/core"
	"c2bp/source"
)

// This file finds out which sizes and offsets can be believed. cc/v4 ignores what packs
// structs, unions and enumerations (the attribute packed, #pragma pack), lays out
// bit-fields and vectors differently from gcc, does not scale constant pointers, and
// takes (_Bool)2 for 2. The size, alignment and offsets of such a type, and whatever cc
// computes from them, are arbitrary values.
//
// Members and enumeration constants are known by their positions: those are the same in
// the second parse that resolves predicates.

// layouts is what is known of the layout of types.
type layouts struct {
	packed    map[source.Pos]bool // members of packed structs, constants of packed enumerations
	arbitrary map[source.Pos]bool // enumeration constants whose value depends on such a layout
}

func newLayouts() layouts {
	return layouts{packed: map[source.Pos]bool{}, arbitrary: map[source.Pos]bool{}}
}

// findPacked marks what is packed below n, a declaration or function definition.
func (l *linker) findPacked(n cc.Node) {
	walk(n, func(n cc.Node) bool {
		switch n := n.(type) {
		case *cc.StructOrUnionSpecifier:
			if l.packing.at(at(n.Position())) || hasPacked(n) {
				l.pack(n)
			}
		case *cc.DeclarationSpecifiers:
			l.packEnumeration(n)
		case *cc.SpecifierQualifierList:
			l.packEnumeration(n)
		case *cc.EnumSpecifier:
			l.checkEnumerators(n)
		}
		return true
	})
}

// hasPacked reports whether an attribute that cc lays out wrongly occurs below n.
func hasPacked(n cc.Node) (found bool) {
	walk(n, func(n cc.Node) bool {
		if a, ok := n.(*cc.AttributeValue); ok {
			switch attributeName(a.Token.SrcStr()) {
			case "packed", "vector_size", "ms_struct", "gcc_struct":
				found = true
			}
		}
		return !found
	})
	return found
}

// pack marks the members below n.
func (l *linker) pack(n cc.Node) {
	walk(n, func(n cc.Node) bool {
		if d, ok := n.(*cc.StructDeclarator); ok && d.Declarator != nil {
			l.layouts.packed[at(d.Declarator.NameTok().Position())] = true
		}
		return true
	})
}

// packEnumeration marks the constants of an enumeration that the attribute packed
// follows; cc has the attribute beside it.
func (l *linker) packEnumeration(specifiers cc.Node) {
	var enum *cc.EnumSpecifier
	packed := false
	walk(specifiers, func(n cc.Node) bool {
		switch n := n.(type) {
		case *cc.StructOrUnionSpecifier:
			return false
		case *cc.EnumSpecifier:
			enum = n
		case *cc.AttributeValue:
			packed = packed || attributeName(n.Token.SrcStr()) == "packed"
		}
		return true
	})
	if enum == nil || !packed {
		return
	}
	for e := enum.EnumeratorList; e != nil; e = e.EnumeratorList {
		l.layouts.packed[at(e.Enumerator.Token.Position())] = true
	}
}

// checkEnumerators marks the constants whose values depend on an unknown layout.
func (l *linker) checkEnumerators(n *cc.EnumSpecifier) {
	unknown := false
	for e := n.EnumeratorList; e != nil; e = e.EnumeratorList {
		if v := e.Enumerator.ConstantExpression; !isNil(v) {
			unknown = l.dependsOnLayout(v)
		}
		if unknown {
			l.layouts.arbitrary[at(e.Enumerator.Token.Position())] = true
		}
	}
}

// dependsOnLayout reports whether cc's value of the constant expression n may be wrong.
func (l *linker) dependsOnLayout(n cc.Node) (found bool) {
	walk(n, func(n cc.Node) bool {
		switch e := n.(type) {
		case *cc.TypeName:
			found = found || !l.knownLayout(e.Type()) || e.Type() != nil && e.Type().Kind() == cc.Bool
		case *cc.PrimaryExpression:
			if c, ok := e.ResolvedTo().(*cc.Enumerator); ok {
				found = found || l.layouts.arbitrary[at(c.Token.Position())]
			}
		}
		if op, x, y, ok := binaryOperator(n); ok && (op == core.Add || op == core.Sub) {
			found = found || isPointer(x) || isPointer(y)
		}
		if e, ok := n.(cc.ExpressionNode); ok && !found {
			t := e.Type()
			if p, ok := t.(*cc.PointerType); ok && p.Elem() != nil {
				t = p.Elem()
			}
			found = !l.knownLayout(t)
		}
		return !found
	})
	return found
}

func isPointer(n cc.ExpressionNode) bool {
	_, ok := n.Type().(*cc.PointerType)
	return ok
}

// knownLayout reports whether cc's size, alignment and offsets of t are right.
func (l *linker) knownLayout(t cc.Type) bool {
	if t == nil {
		return true
	}
	switch t := t.(type) {
	case *cc.ArrayType:
		if n := t.SizeExpression(); !isNil(n) && l.dependsOnLayout(n) {
			return false
		}
		return l.knownLayout(t.Elem())
	case *cc.StructType:
		return l.knownMembers(t.NumFields(), t.FieldByIndex)
	case *cc.UnionType:
		return l.knownMembers(t.NumFields(), t.FieldByIndex)
	case *cc.EnumType:
		return !l.isPackedEnum(t)
	}
	return t.VectorSize() <= 0
}

func (l *linker) knownMembers(n int, field func(int) *cc.Field) bool {
	padding := false
	for i := range n {
		f := field(i)
		if f == nil {
			continue
		}
		if d := f.Declarator(); d != nil && l.layouts.packed[at(d.NameTok().Position())] {
			return false
		}
		if f.IsBitfield() && !isPadding(f) || !l.knownLayout(f.Type()) {
			return false
		}
		padding = padding || f.IsBitfield()
	}
	return !padding || n == 1 // alone, it has size 0: compile-time assertions do that
}

// isPadding reports whether f is int : 0.
func isPadding(f *cc.Field) bool { return f.IsBitfield() && f.Name() == "" && f.ValueBits() == 0 }

// knownSize reports whether what n, sizeof or _Alignof, says is right. (cc counts the
// prefix of u8"…" as two characters.)
func (l *linker) knownSize(n *cc.UnaryExpression) bool {
	switch n.Case {
	case cc.UnaryExpressionSizeofType, cc.UnaryExpressionAlignofType:
		return l.knownLayout(n.TypeName.Type())
	case cc.UnaryExpressionSizeofExpr, cc.UnaryExpressionAlignofExpr:
		p, ok := strip(n.UnaryExpression).(*cc.PrimaryExpression)
		if ok && p.Case == cc.PrimaryExpressionString && strings.HasPrefix(p.Token.SrcStr(), "u8") {
			return false
		}
		return l.knownLayout(operandType(n.UnaryExpression))
	}
	return true
}

func (l *linker) isPackedEnum(t *cc.EnumType) bool {
	for _, e := range t.Enumerators() {
		if l.layouts.packed[at(e.Token.Position())] {
			return true
		}
	}
	return false
}

// refusePackedEnum refuses a variable of a packed enumeration: its width is not known.
func (l *linker) refusePackedEnum(pos source.Pos, t cc.Type) {
	if e, ok := t.(*cc.EnumType); ok && l.isPackedEnum(e) {
		l.error(pos, "a packed enumeration is not supported: use the integer type that holds it")
	}
}

// packing is where #pragma pack is in force.
type packing struct {
	open  []source.Pos // of the pragmas in force
	spans []packSpan
	all   bool // it could not be followed
}

type packSpan struct {
	file     string
	from, to int // lines
}

// pragma handles #pragma pack(…).
func (p *packing) pragma(pos source.Pos, words []string) {
	args := strings.Join(words, "")
	if args != "()" && args != "(pop)" && !strings.HasPrefix(args, "(pop,") {
		p.open = append(p.open, pos)
		return
	}
	n := len(p.open)
	if n == 0 {
		return
	}
	last := p.open[n-1]
	p.open = p.open[:n-1]
	p.all = p.all || last.File != pos.File || args == "()" && n > 1
	p.spans = append(p.spans, packSpan{pos.File, last.Line, pos.Line})
}

// at reports whether what stands at pos may be packed.
func (p *packing) at(pos source.Pos) bool {
	if p.all || len(p.open) > 0 {
		return true // in force at the end of the file, and who knows since when
	}
	for _, s := range p.spans {
		if s.file == pos.File && pos.Line >= s.from && pos.Line <= s.to {
			return true
		}
	}
	return false
}

// memberOffset is where the member that e, a . or ->, selects lies in its object:
// bytes, and bits from there for a bit-field.
func (l *linker) memberOffset(e *cc.PostfixExpression) (off int64, bit int, known bool) {
	return l.fieldOffset(e.Field())
}
