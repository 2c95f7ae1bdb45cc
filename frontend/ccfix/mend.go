package ccfix

import (
	"slices"
	"unsafe"

	"modernc.org/cc/v4"

	"c2bp/frontend/ctree"
)

// This file mends syntax trees before cc checks their types. Where cc's check is wrong about C
// the tree is changed to one with the same meaning that it is right about:
//
//	struct s { int a; ; };                        struct s { int a; };
//	struct s { … } __attribute__((packed));       struct s { … };  while it is checked
//	typeof(T) x;                                  typeof(*(typeof(T) *)0) x;
//	asm inline ("…");                             asm ("…");
//	int a[] = { };                                int a[0] = { };
//	struct { int : -!!(e); }                      struct { int : 0; }, if e compares types
//	({ …; end: x; })                              ({ …; end: ; x; })
//	({ __label__ l; l: x; }) twice                while it is checked, only one l is known
//	case __builtin_bswap16(n):                    case (n & 0xff) << 8 | n >> 8 & 0xff:
//	_Generic(p, const int *: 1, int *: 2)         _Generic(p, int *: 2), see generic.go of package frontend
//	((int (*)(int x))q)(x)                        ((int (*)(int))q)(x), see castnames.go
//
// A tree is what the parser has made of expanded macros, so these are found wherever they come
// from; what the parser itself does not take is respelt in the text, see tokens.go.
//
// cc.Translate parses and checks at one go, and cc.Parse alone does not check, so the check is
// called by its name in the linker's table. Another version of cc in which there is none does
// not link.

//go:linkname checkTree modernc.org/cc/v4.(*AST).check
func checkTree(ast *cc.AST, cfg *cc.Config) (unsafe.Pointer, error)

// translate does the work of cc.Translate on mended trees. The associations of _Generic in excluded
// are left out, and the functions of headers that r does not reach.
func translate(cfg *cc.Config, excluded map[int]bool, r *reach, parse func() (*cc.AST, error)) (*cc.AST, error) {
	ast, err := parse()
	if err != nil {
		return nil, err
	}
	// 1. Mend each declaration, and note the names that it mentions. Functions with _Generic in
	// them are checked last.
	m := mender{excluded: excluded}
	r.files = r.own()
	var choosing []*cc.ExternalDeclaration // functions
	for l := ast.TranslationUnit; l != nil; l = l.TranslationUnit {
		d, choices := l.ExternalDeclaration, m.choices
		ctree.Walk(d, m.visit)
		if d.Case == cc.ExternalDeclarationFuncDef {
			m.oneLabel(d.FunctionDefinition)
		}
		if len(m.hidden) > 0 {
			m.unhide(d)
			m.clear(ast.Scope)
			m.hidden = nil
		}
		r.see(d)
		if d.Case == cc.ExternalDeclarationFuncDef && m.choices > choices {
			choosing = append(choosing, d)
		}
	}
	// 2. Take the bodies out that nothing reaches.
	r.follow()
	for d := range r.skipped {
		m.empty(d)
	}
	for _, d := range choosing {
		if !r.skipped[d] {
			m.postpone(d)
		}
	}
	// 3. Check the types, and then undo the changes that were made for that.
	m.append(ast)
	_, err = checkTree(ast, cfg)
	for _, undo := range m.undo {
		undo()
	}
	if err != nil {
		return nil, err
	}
	// 4. Leave out the functions that nothing reaches.
	drop(&ast.TranslationUnit, func(l *cc.TranslationUnit) (**cc.TranslationUnit, bool) {
		return &l.TranslationUnit, r.skipped[l.ExternalDeclaration]
	})
	return ast, nil
}

// drop takes elements out of a list, at whose first element at points; look returns where the tail
// of an element is, and whether to take the element out.
func drop[T any](at **T, look func(*T) (tail **T, out bool)) {
	for *at != nil {
		if tail, out := look(*at); out {
			*at = *tail
		} else {
			at = tail
		}
	}
}

// mender mends one tree.
type mender struct {
	excluded map[int]bool         // associations of _Generic, by the numbers of their tokens
	choices  int                  // _Generic so far
	hidden   map[string][]cc.Node // parameters of abstract declarators in a declaration, by their names
	late     []*cc.ExternalDeclaration
	undo     []func() // what was changed for the check alone
}

// visit mends the node n itself. It returns true, so that a walk also comes to the nodes below.
func (m *mender) visit(n cc.Node) bool {
	switch n := n.(type) {
	case *cc.StructOrUnionSpecifier:
		// Empty members, and attributes that make cc lose members.
		dropEmpty(&n.StructDeclarationList)
		if n.Case == cc.StructOrUnionSpecifierDef {
			m.bare(&n.AttributeSpecifierList)
			m.bare(&n.AttributeSpecifierList2)
		}
	case *cc.DeclarationSpecifiers:
		// The typeof of a type.
		if s := n.TypeSpecifier; s != nil && s.Case == cc.TypeSpecifierTypeofType {
			n.TypeSpecifier = typeofExpression(s)
		}
	case *cc.Asm:
		drop(&n.AsmQualifierList, func(l *cc.AsmQualifierList) (**cc.AsmQualifierList, bool) {
			return &l.AsmQualifierList, l.AsmQualifier.Case == cc.AsmQualifierInline
		})
	case *cc.InitDeclarator:
		sizeEmpty(n)
	case *cc.PrimaryExpression:
		if n.Case == cc.PrimaryExpressionStmt {
			unlabelLast(n.CompoundStatement)
		}
	case *cc.StructDeclarator:
		zeroWidth(n)
	case *cc.DirectAbstractDeclarator:
		if n.ParameterTypeList != nil {
			m.hide(n.ParameterTypeList.ParameterList)
		}
	case *cc.ConstantExpression:
		foldSwaps(n)
	case *cc.GenericSelection:
		// An association that cc has chosen wrongly before.
		m.choices++
		drop(&n.GenericAssociationList, func(l *cc.GenericAssociationList) (**cc.GenericAssociationList, bool) {
			return &l.GenericAssociationList, m.excluded[l.GenericAssociation.Token.Seq()]
		})
	}
	return true
}

// dropEmpty leaves out empty declarations, of which cc makes members of type int.
func dropEmpty(list **cc.StructDeclarationList) {
	drop(list, func(l *cc.StructDeclarationList) (**cc.StructDeclarationList, bool) {
		d := l.StructDeclaration
		return &l.StructDeclarationList, d.Case == cc.StructDeclarationDecl && d.SpecifierQualifierList == nil && d.StructDeclaratorList == nil
	})
}

// hide notes the parameters of an abstract declarator. The parser has put their names into the scope around
// it, although nothing means them there.
func (m *mender) hide(list *cc.ParameterList) {
	for ; list != nil; list = list.ParameterList {
		if d := list.ParameterDeclaration.Declarator; d != nil {
			if m.hidden == nil {
				m.hidden = map[string][]cc.Node{}
			}
			m.hidden[d.Name()] = append(m.hidden[d.Name()], d)
		}
	}
}

// unhide takes the noted parameters out of the scopes in which names below the node n are looked up.
func (m *mender) unhide(n cc.Node) {
	ctree.Walk(n, func(n cc.Node) bool {
		switch n := n.(type) {
		case *cc.CompoundStatement:
			m.clear(n.LexicalScope())
		case *cc.PrimaryExpression:
			m.clear(n.LexicalScope())
		}
		return true
	})
}

// clear takes the noted parameters out of s and the scopes around it.
func (m *mender) clear(s *cc.Scope) {
	for ; s != nil; s = s.Parent {
		for name, hidden := range m.hidden {
			if nodes := s.Nodes[name]; len(nodes) > 0 {
				s.Nodes[name] = slices.DeleteFunc(nodes, func(d cc.Node) bool { return slices.Contains(hidden, d) })
			}
		}
	}
}

// bare leaves out attributes without arguments of the definition of a struct or union until it
// is checked: with one, cc loses the members of a struct that points to itself. Those that
// matter are read from the tree, see package layout; the arguments of the others have to be
// checked.
func (m *mender) bare(list **cc.AttributeSpecifierList) {
	var kept *cc.AttributeSpecifierList
	end := &kept
	for l := *list; l != nil; l = l.AttributeSpecifierList {
		s := *l.AttributeSpecifier
		if s.AttributeValueList = withArguments(s.AttributeValueList); s.AttributeValueList != nil {
			*end = &cc.AttributeSpecifierList{AttributeSpecifier: &s}
			end = &(*end).AttributeSpecifierList
		}
	}
	if whole := *list; whole != nil {
		*list = kept
		m.undo = append(m.undo, func() { *list = whole })
	}
}

// withArguments returns the attributes of list that have arguments, in a list of its own.
func withArguments(list *cc.AttributeValueList) (kept *cc.AttributeValueList) {
	end := &kept
	for ; list != nil; list = list.AttributeValueList {
		if v := list.AttributeValue; v != nil && v.Case == cc.AttributeValueExpr {
			*end = &cc.AttributeValueList{AttributeValue: v, Token: list.Token}
			end = &(*end).AttributeValueList
		}
	}
	return kept
}

// typeofExpression returns typeof(*(typeof(T) *)0) for s, typeof(T). In declarations cc knows types
// of expressions only.
func typeofExpression(s *cc.TypeSpecifier) *cc.TypeSpecifier {
	pointer := &cc.TypeName{
		SpecifierQualifierList: &cc.SpecifierQualifierList{Case: cc.SpecifierQualifierListTypeSpec, TypeSpecifier: s},
		AbstractDeclarator: &cc.AbstractDeclarator{
			Case:    cc.AbstractDeclaratorPtr,
			Pointer: &cc.Pointer{Case: cc.PointerTypeQual, Token: respelt(s.Token, "*")},
		},
	}
	return &cc.TypeSpecifier{
		Case: cc.TypeSpecifierTypeofExpr, Token: s.Token, Token2: s.Token2, Token3: s.Token3,
		ExpressionList: &cc.UnaryExpression{
			Case: cc.UnaryExpressionDeref, Token: respelt(s.Token, "*"),
			CastExpression: &cc.CastExpression{
				Case: cc.CastExpressionCast, Token: s.Token2, TypeName: pointer, Token2: s.Token3,
				CastExpression: number(s.Token, "0"),
			},
		},
	}
}

// respelt returns a token with another text in the place of t: its position is that of t, for
// messages.
func respelt(t cc.Token, text string) cc.Token {
	if t.Src() != nil {
		_ = t.Set(nil, []byte(text)) // fails of gigabytes only
	}
	return t
}

// number returns an integer literal in the place of t.
func number(t cc.Token, text string) cc.ExpressionNode {
	return &cc.PrimaryExpression{Case: cc.PrimaryExpressionInt, Token: respelt(t, text)}
}

// postpone has the body of a function checked after everything else: cc does not find an
// association by a type struct s * while struct s is not complete. Names are resolved as before,
// by the declarations before them in the text.
func (m *mender) postpone(d *cc.ExternalDeclaration) {
	m.late = append(m.late, &cc.ExternalDeclaration{Case: d.Case, FunctionDefinition: d.FunctionDefinition})
	m.empty(d)
}

// empty takes the body of the function d out until the tree has been checked. d gets a copy of the
// function whose body has no items; an undo puts the function itself back.
func (m *mender) empty(d *cc.ExternalDeclaration) {
	whole := d.FunctionDefinition
	head, body := *whole, *whole.CompoundStatement
	body.BlockItemList = nil
	head.CompoundStatement = &body
	d.FunctionDefinition = &head
	m.undo = append(m.undo, func() { d.FunctionDefinition = whole })
}

// append puts the postponed functions at the end of the tree, for the check. An undo takes them off
// again.
func (m *mender) append(ast *cc.AST) {
	last := ast.TranslationUnit
	if last == nil || len(m.late) == 0 {
		return
	}
	for last.TranslationUnit != nil {
		last = last.TranslationUnit
	}
	m.undo = append(m.undo, func() { last.TranslationUnit = nil })
	for end := last; len(m.late) > 0; m.late = m.late[1:] {
		end.TranslationUnit = &cc.TranslationUnit{ExternalDeclaration: m.late[0]}
		end = end.TranslationUnit
	}
}

// sizeEmpty gives an array that is initialised by { } the length 0, which cc leaves open.
func sizeEmpty(n *cc.InitDeclarator) {
	i := n.Initializer
	if i == nil || i.Case != cc.InitializerInitList || i.InitializerList != nil || n.Declarator == nil {
		return
	}
	if d := n.Declarator.DirectDeclarator; d != nil && d.Case == cc.DirectDeclaratorArr && d.AssignmentExpression == nil &&
		d.DirectDeclarator != nil && d.DirectDeclarator.Case == cc.DirectDeclaratorIdent {
		d.AssignmentExpression = number(d.Token, "0")
	}
}

// zeroWidth gives a bit-field without a name the width 0 in the place of -!!(e), which is that or is
// an error, where e compares types: cc takes rows of arrays for pointers there. Kernels have such
// ones to check at compile time that something is an array.
func zeroWidth(n *cc.StructDeclarator) {
	if n.Case != cc.StructDeclaratorBitField || n.Declarator != nil || !ctree.ComparesTypes(n.ConstantExpression) {
		return
	}
	e := ctree.Strip(n.ConstantExpression)
	for _, op := range []cc.UnaryExpressionCase{cc.UnaryExpressionMinus, cc.UnaryExpressionNot, cc.UnaryExpressionNot} {
		u, ok := e.(*cc.UnaryExpression)
		if !ok || u.Case != op {
			return
		}
		e = ctree.Strip(u.CastExpression)
	}
	n.ConstantExpression = &cc.ConstantExpression{ConditionalExpression: number(n.Token, "0")}
}

// swaps are the builtins that reverse bytes, with their width and the suffix of their type.
var swaps = map[string]struct {
	bits   int
	suffix string
}{"__builtin_bswap16": {16, ""}, "__builtin_bswap32": {32, "u"}, "__builtin_bswap64": {64, "ull"}}

// foldSwaps puts shifts into the place of builtins that reverse bytes, in a constant expression: cc
// does not compute them. Elsewhere they stay calls.
func foldSwaps(n *cc.ConstantExpression) {
	ctree.ReplaceOperands(n, func(e cc.ExpressionNode) cc.ExpressionNode {
		call, ok := e.(*cc.PostfixExpression)
		if !ok || call.Case != cc.PostfixExpressionCall || call.ArgumentExpressionList == nil || call.ArgumentExpressionList.ArgumentExpressionList != nil {
			return e
		}
		f, ok := call.PostfixExpression.(*cc.PrimaryExpression)
		if !ok {
			return e
		}
		w, ok := swaps[f.Token.SrcStr()]
		if !ok {
			return e
		}
		return swapped(call.Token, call.ArgumentExpressionList.AssignmentExpression, w.bits, w.suffix)
	})
}

// swapped returns x with its bits/8 bytes reversed: byte k of x moves by bits - 8 - 16k to the left.
// x is a constant expression, so it may be evaluated several times.
func swapped(t cc.Token, x cc.ExpressionNode, bits int, suffix string) (sum cc.ExpressionNode) {
	mask := func(x cc.ExpressionNode) cc.ExpressionNode {
		return &cc.AndExpression{Case: cc.AndExpressionAnd, AndExpression: x, Token: respelt(t, "&"), EqualityExpression: number(t, "0xff"+suffix)}
	}
	shift := func(x cc.ExpressionNode, n int, left bool) cc.ExpressionNode {
		s := &cc.ShiftExpression{Case: cc.ShiftExpressionRsh, ShiftExpression: x, Token: respelt(t, ">>"), AdditiveExpression: number(t, decimal(int64(n)))}
		if left {
			s.Case, s.Token = cc.ShiftExpressionLsh, respelt(t, "<<")
		}
		return s
	}
	if bits > 16 { // x in a type that has room for all bits
		x = &cc.AdditiveExpression{Case: cc.AdditiveExpressionAdd, AdditiveExpression: x, Token: respelt(t, "+"), MultiplicativeExpression: number(t, "0"+suffix)}
	}
	for k := 0; k < bits; k += 8 {
		b := shift(mask(shift(x, k, false)), bits-8-k, true)
		if sum == nil {
			sum = b
		} else {
			sum = &cc.InclusiveOrExpression{Case: cc.InclusiveOrExpressionOr, InclusiveOrExpression: sum, Token: respelt(t, "|"), ExclusiveOrExpression: b}
		}
	}
	return sum
}

// oneLabel leaves one label of each name in the scope of a function while it is checked: cc
// declares those of inner blocks, which have their own by __label__, there as well.
func (m *mender) oneLabel(f *cc.FunctionDefinition) {
	if f.CompoundStatement == nil {
		return
	}
	nodes := f.CompoundStatement.LexicalScope().Nodes
	for name, list := range nodes {
		seen := false
		kept := slices.DeleteFunc(slices.Clone(list), func(n cc.Node) bool {
			_, is := n.(*cc.LabeledStatement)
			again := is && seen
			seen = seen || is
			return again
		})
		if len(kept) < len(list) {
			nodes[name] = kept
			m.undo = append(m.undo, func() { nodes[name] = list })
		}
	}
}

// unlabelLast takes the labels off the last statement of a statement expression, which is its
// value, and puts them on an empty statement in front of it: ({ f(); end: x; }) becomes ({ f();
// end: ; x; }).
func unlabelLast(s *cc.CompoundStatement) {
	if s == nil || s.BlockItemList == nil {
		return
	}
	last := s.BlockItemList
	for last.BlockItemList != nil {
		last = last.BlockItemList
	}
	item := last.BlockItem
	if item.Case != cc.BlockItemStmt || item.Statement.Case != cc.StatementLabeled {
		return
	}
	l := item.Statement.LabeledStatement
	for l.Statement != nil && l.Statement.Case == cc.StatementLabeled {
		l = l.Statement.LabeledStatement
	}
	value := l.Statement
	if value == nil || value.Case != cc.StatementExpr {
		return
	}
	l.Statement = &cc.Statement{Case: cc.StatementExpr, ExpressionStatement: &cc.ExpressionStatement{Token: value.ExpressionStatement.Token}}
	last.BlockItemList = &cc.BlockItemList{BlockItem: &cc.BlockItem{Case: cc.BlockItemStmt, Statement: value}}
}
