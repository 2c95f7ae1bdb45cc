package frontend

import (
	"modernc.org/cc/v4"

	"c2bp/frontend/ccfix"
	"c2bp/frontend/ctree"
)

// This file looks for what means something else with -fms-extensions: a member without a name
// whose type has one,
//
//	struct S { struct T; int n; };
//
// has the members of T there. Without the flag it is none, and that is how cc takes it.

// checkMembers refuses such members in a file that is compiled with that flag.
func (l *sources) checkMembers(tu *translationUnit) {
	if !tu.opts.MSExtensions {
		return
	}
	ctree.Walk(tu.ast.TranslationUnit, func(n cc.Node) bool {
		if d, ok := n.(*cc.StructDeclaration); ok && d.StructDeclaratorList == nil && d.StaticAssertDeclaration == nil && namesType(d.SpecifierQualifierList) {
			l.error(ccfix.RawAt(d.Position()), "not supported: a member without a name whose type has one, with -fms-extensions")
		}
		return true
	})
}

// namesType reports whether list has the tag of a structure, or the name of a type.
func namesType(list *cc.SpecifierQualifierList) bool {
	for ; list != nil; list = list.SpecifierQualifierList {
		t := list.TypeSpecifier
		switch {
		case t == nil:
		case t.StructOrUnionSpecifier != nil && t.StructOrUnionSpecifier.Token.SrcStr() != "", t.Case == cc.TypeSpecifierTypeName:
			return true
		}
	}
	return false
}
