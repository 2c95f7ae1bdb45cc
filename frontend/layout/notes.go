package layout

import (
	"modernc.org/cc/v4"

	"c2bp/frontend/ccfix"
	"c2bp/frontend/core"
	"c2bp/frontend/ctree"
	"c2bp/source"
)

// This file notes what declarations say about layout: the attributes packed and aligned,
// _Alignas, #pragma pack. cc's types have some of it, and some of it in the wrong place:
// to cc, a pointer to an aligned type is aligned.
//
// Types are known by positions, for those are the same in the second parse that resolves
// predicates: a struct or union by that of its first member, a typedef by that of its
// name, an enumeration by its constants.

// Lowering gives the layouts access to the lowering of expressions.
type Lowering interface {
	// Pure returns the value of an expression without side effects, a constant if it is one.
	Pure(n cc.ExpressionNode) (core.Expr, error)
	// IntegerType returns the type of n if that is an integer type.
	IntegerType(n cc.ExpressionNode) (core.Int, bool)
	// CheckGeneric checks that cc has chosen the right association.
	CheckGeneric(n *cc.GenericSelection)
	Error(pos source.Pos, format string, args ...any)
}

// Table has the notes on declarations, and the layouts that were computed from them.
type Table struct {
	parser   *ccfix.Parser
	lowering Lowering
	bits32   bool

	counted   map[*cc.ArrayType]int64    // elements of arrays that a string in braces initialises
	excused   map[*cc.TypeSpecifier]bool // misread where it makes no difference
	records   map[recordKey]*recordNote
	typedefs  map[source.Pos]*typedefNote
	packed    map[source.Pos]bool        // constants of packed enumerations
	constants map[source.Pos]*core.Const // enumeration constants that cc may have wrong; nil if they are not known
	// memo has the layouts so far; one that is being computed is not known.
	memo   map[cc.Type]*Layout
	checks []cc.Node // what was evaluated, to be checked
}

// New makes an empty table for the files that p reads, of a 32-bit system or a 64-bit one.
func New(p *ccfix.Parser, bits32 bool, rest Lowering) *Table {
	return &Table{
		parser: p, bits32: bits32, lowering: rest, counted: map[*cc.ArrayType]int64{},
		records: map[recordKey]*recordNote{}, typedefs: map[source.Pos]*typedefNote{},
		packed: map[source.Pos]bool{}, constants: map[source.Pos]*core.Const{}, memo: map[cc.Type]*Layout{},
	}
}

// recordKey identifies a struct or union: the position of the name of its first member that has
// one, in how many anonymous members that lies.
//
//	struct s { struct { int a; }; };     s: a in 1, the struct in it: a in 0
//
// The tokens of a macro's argument may all be at the place where the macro is used: so the name counts, too.
type recordKey struct {
	pos   source.Pos
	name  string
	depth int
}

// recordNote has the attributes and members that the definition of a struct or union states.
type recordNote struct {
	attributes
	pack    int64 // of #pragma pack, 0 if there is none
	members []memberNote
}

// memberNote has the attributes of one member, in the order of the declaration.
type memberNote struct {
	attributes
	width cc.ExpressionNode // of a bit-field, nil if it is none
}

// typedefNote has the attributes that a typedef states.
type typedefNote struct {
	attributes
	base cc.Type // the type that it gives another name; nil if it derives one from it
}

// same reports whether two definitions of one text have the same layout, by their attributes.
// Widths and types are those of the text.
func (r *recordNote) same(s *recordNote) bool {
	if !r.attributes.same(s.attributes) || r.pack != s.pack || len(r.members) != len(s.members) {
		return false
	}
	for i, m := range r.members {
		if !m.same(s.members[i].attributes) {
			return false
		}
	}
	return true
}

// Note notes the types that are declared below n, a declaration or function definition.
func (l *Table) Note(n cc.Node) {
	// 1. Note what is declared, and collect decisions of cc that depend on layouts.
	ctree.Walk(n, func(n cc.Node) bool {
		switch n := n.(type) {
		case *cc.StructOrUnionSpecifier:
			if n.StructDeclarationList != nil {
				l.noteRecord(n)
			}
		case *cc.Declaration:
			if n.DeclarationSpecifiers != nil {
				l.noteDeclaration(n)
			}
			// __auto_type x = e has the type of e.
			if n.Case == cc.DeclarationAuto {
				l.checks = append(l.checks, n)
			}
		case *cc.DeclarationSpecifiers:
			l.notePacked(n)
		case *cc.SpecifierQualifierList:
			l.notePacked(n)
		case *cc.EnumSpecifier, *cc.StaticAssertDeclaration, *cc.GenericSelection:
			l.checks = append(l.checks, n)
		case *cc.Designator:
			l.checks = append(l.checks, n)
		case *cc.TypeSpecifier:
			if n.Case == cc.TypeSpecifierTypeofExpr {
				l.checks = append(l.checks, n)
			}
		case *cc.PostfixExpression:
			if name := ctree.CalleeName(n); n.Case == cc.PostfixExpressionCall && (name == "__builtin_choose_expr" || name == ctree.CompatibleName) {
				l.checks = append(l.checks, n)
			}
		}
		return true
	})
	// 2. Check these now that all of n is noted.
	// A typeof in a body may be of a struct that is defined in the same body.
	for _, n := range l.checks {
		l.checkEvaluated(n)
	}
	l.checks = nil
}

// noteRecord notes the definition of a struct or union.
func (l *Table) noteRecord(n *cc.StructOrUnionSpecifier) {
	// 1. Attributes and #pragma pack of the whole.
	key, ok := definitionKey(n, 0)
	if !ok {
		return
	}
	r := &recordNote{}
	r.list(n.AttributeSpecifierList, n.AttributeSpecifierList2)
	// The value of #pragma pack at the brace.
	if v, known := l.parser.PackAt(ccfix.RawAt(n.Token3.Position())); known {
		r.pack = v
	} else {
		r.odd = "pragma"
	}
	// 2. Those of its members.
	for d := n.StructDeclarationList; d != nil; d = d.StructDeclarationList {
		r.members = append(r.members, l.noteMembers(d.StructDeclaration)...)
	}
	if old := l.records[key]; old != nil && !old.same(r) {
		r.odd = "several" // macros and files included twice make many of one text
	}
	l.records[key] = r
}

// noteMembers notes one declaration of members: one note for each declarator, or one for an
// anonymous member. A static assertion has none.
func (l *Table) noteMembers(d *cc.StructDeclaration) (list []memberNote) {
	if d.Case != cc.StructDeclarationDecl {
		return nil
	}
	// 1. The attributes that all members of the declaration have.
	var common attributes
	var enum *cc.EnumSpecifier
	for s := d.SpecifierQualifierList; s != nil; s = s.SpecifierQualifierList {
		common.specifier(s.AttributeSpecifierList, s.TypeQualifier, s.TypeSpecifier, s.AlignmentSpecifier, &enum)
	}
	if d.StructDeclaratorList == nil {
		common.list(d.AttributeSpecifierList)
		return []memberNote{{attributes: common}}
	}
	// 2. Those of each member.
	for s := d.StructDeclaratorList; s != nil; s = s.StructDeclaratorList {
		m := memberNote{attributes: common.clone()}
		if s.StructDeclarator.Case == cc.StructDeclaratorBitField {
			m.width = s.StructDeclarator.ConstantExpression
		}
		if s.StructDeclarator.Declarator != nil {
			m.declarator(s.StructDeclarator.Declarator)
		}
		// cc has the attributes after the last declarator at the declaration.
		if s.StructDeclaratorList == nil {
			m.list(d.AttributeSpecifierList)
		}
		list = append(list, m)
	}
	return list
}

// noteDeclaration notes the typedefs in a declaration. Like members, they have the attributes of
// the specifiers and those after their own declarators.
func (l *Table) noteDeclaration(d *cc.Declaration) {
	var common attributes
	var enum *cc.EnumSpecifier
	for s := d.DeclarationSpecifiers; s != nil; s = s.DeclarationSpecifiers {
		common.specifier(s.AttributeSpecifierList, s.TypeQualifier, s.TypeSpecifier, s.AlignmentSpecifier, &enum)
	}
	for i := d.InitDeclaratorList; i != nil; i = i.InitDeclaratorList {
		td := i.InitDeclarator.Declarator
		if !td.IsTypename() {
			continue
		}
		t := &typedefNote{attributes: common.clone()}
		t.list(i.AttributeSpecifierList, i.InitDeclarator.AttributeSpecifierList)
		if i.InitDeclaratorList == nil {
			t.list(d.AttributeSpecifierList)
		}
		t.declarator(td)
		// typedef T t; and no pointer, array or function: alignments of T count for t.
		if td.Pointer == nil && td.DirectDeclarator != nil && td.DirectDeclarator.Case == cc.DirectDeclaratorIdent {
			t.base = d.DeclarationSpecifiers.Type()
		}
		pos := ccfix.RawAt(td.NameTok().Position())
		if old := l.typedefs[pos]; old != nil && !old.same(t.attributes) {
			t.odd = "several"
		}
		l.typedefs[pos] = t
	}
}

// notePacked marks the constants of an enumeration that the attribute packed follows; cc has the
// attribute beside it. n is a list of specifiers.
func (l *Table) notePacked(n cc.Node) {
	var enum *cc.EnumSpecifier
	packed := false
	// step looks at one specifier: after that of an enumeration, attributes count.
	step := func(list *cc.AttributeSpecifierList, q *cc.TypeQualifier, s *cc.TypeSpecifier) {
		if enum != nil {
			var a attributes
			a.list(list)
			if q != nil {
				a.list(q.AttributeSpecifierList)
			}
			packed = packed || a.packed
		}
		if s != nil && s.EnumSpecifier != nil {
			enum = s.EnumSpecifier
		}
	}
	switch n := n.(type) {
	case *cc.DeclarationSpecifiers:
		for ; n != nil; n = n.DeclarationSpecifiers {
			step(n.AttributeSpecifierList, n.TypeQualifier, n.TypeSpecifier)
		}
	case *cc.SpecifierQualifierList:
		for ; n != nil; n = n.SpecifierQualifierList {
			step(n.AttributeSpecifierList, n.TypeQualifier, n.TypeSpecifier)
		}
	}
	if enum == nil || !packed {
		return
	}
	// An enumeration is known by its constants.
	for e := enum.EnumeratorList; e != nil; e = e.EnumeratorList {
		l.packed[ccfix.RawAt(e.Enumerator.Token.Position())] = true
	}
}

// definitionKey returns the key of the struct or union that n defines; ok is false if no member has
// a name. It must agree with typeKey: members with a name come first, then those of anonymous
// members.
func definitionKey(n *cc.StructOrUnionSpecifier, depth int) (key recordKey, ok bool) {
	var inner []*cc.StructOrUnionSpecifier
	for d := n.StructDeclarationList; d != nil; d = d.StructDeclarationList {
		for s := d.StructDeclaration.StructDeclaratorList; s != nil; s = s.StructDeclaratorList {
			if m := s.StructDeclarator.Declarator; m != nil {
				return keyOf(m, depth), true
			}
		}
		if d.StructDeclaration.StructDeclaratorList == nil {
			for s := d.StructDeclaration.SpecifierQualifierList; s != nil; s = s.SpecifierQualifierList {
				if s.TypeSpecifier != nil && s.TypeSpecifier.StructOrUnionSpecifier != nil {
					inner = append(inner, s.TypeSpecifier.StructOrUnionSpecifier)
				}
			}
		}
	}
	for _, r := range inner {
		if key, ok := definitionKey(r, depth+1); ok {
			return key, true
		}
	}
	return recordKey{}, false
}

// keyOf returns the key of a struct or union whose first member with a name is that of d.
func keyOf(d *cc.Declarator, depth int) recordKey {
	name := d.NameTok()
	return recordKey{ccfix.RawAt(name.Position()), name.SrcStr(), depth}
}

// typeKey returns the key of the struct or union type t; ok is false if no member has a name.
func typeKey(t cc.Type, depth int) (key recordKey, ok bool) {
	list := AllMembers(t)
	for _, f := range list {
		if d := f.Declarator(); d != nil {
			return keyOf(d, depth), true
		}
	}
	for _, f := range list {
		if !f.IsBitfield() {
			if key, ok := typeKey(f.Type(), depth+1); ok {
				return key, true
			}
		}
	}
	return recordKey{}, false
}

// AllMembers lists the members of a struct or union, padding included, in order; nil for other
// types.
func AllMembers(t cc.Type) (list []*cc.Field) {
	var n int
	var field func(int) *cc.Field
	switch t := t.(type) {
	case *cc.StructType:
		n, field = t.NumFields(), t.FieldByIndex
	case *cc.UnionType:
		n, field = t.NumFields(), t.FieldByIndex
	}
	for i := range n {
		if f := field(i); f != nil {
			list = append(list, f)
		}
	}
	return list
}

// EnumValue returns the value of an enumeration constant, nil if it is not known.
func (l *Table) EnumValue(e *cc.Enumerator) *core.Const {
	if c, ok := l.constants[ccfix.RawAt(e.Token.Position())]; ok {
		return c
	}
	return ctree.EnumConstant(e)
}

// Forgetting replaces the memo that is keyed by the types that cc has parsed, until the function
// that it returns is called; otherwise it would keep every second parse alive.
func (l *Table) Forgetting() (end func()) {
	memo := l.memo
	l.memo = map[cc.Type]*Layout{}
	return func() { l.memo = memo }
}
