package ccfix

import (
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"c2bp/frontend/ctree"
)

// This file finds the functions of headers that nothing reaches. Their bodies are neither checked
// nor lowered: of the 3,000 functions in the headers of a driver it reaches a few dozen.
//
// A function is reached if something that is reached mentions its name: in an expression, in an
// attribute (cleanup, alias), as a word in assembly. Where a name is declared anew it stands for
// something else, and the function counts as reached nevertheless. Everything in the files that
// are named on the command line is reached, all that is declared outside of functions, and what
// other files, the compiler or the linker may call: functions that are not static, and those
// with attributes like constructor, used and section.

// reach has the names that a translation unit mentions.
type reach struct {
	own       func() map[string]bool           // files whose functions are all reached, once all is parsed
	files     map[string]bool                  // these
	bodies    map[string][]*bodyOfHeader       // by name of the function
	mentioned []string                         // by what is reached in any case
	skipped   map[*cc.ExternalDeclaration]bool // functions that are not reached
}

// bodyOfHeader is a function that is reached only if it is mentioned.
type bodyOfHeader struct {
	declaration *cc.ExternalDeclaration
	mentions    []string
	reached     bool
}

// calledAnyway are attributes of functions that need not be mentioned to be called.
var calledAnyway = map[string]bool{
	"constructor": true, "destructor": true, "used": true, "retain": true, "section": true,
	"ifunc": true, "alias": true, "weak": true, "interrupt": true, "externally_visible": true, "init_priority": true,
}

// see notes the names that d mentions.
func (r *reach) see(d *cc.ExternalDeclaration) {
	// 1. Collect the names in it.
	var names []string
	ctree.Walk(d, func(n cc.Node) bool {
		switch n := n.(type) {
		case *cc.PrimaryExpression:
			switch n.Case {
			case cc.PrimaryExpressionIdent:
				names = append(names, n.Token.SrcStr())
			case cc.PrimaryExpressionString:
				names = append(names, WordsOf(n.Token.SrcStr())...) // of an attribute, or of assembly
			}
		case *cc.Asm:
			names = append(names, WordsOf(n.Token3.SrcStr())...)
		}
		return true
	})
	// 2. A static function of a header waits until it is mentioned; all else is reached.
	if f := d.FunctionDefinition; d.Case == cc.ExternalDeclarationFuncDef && !r.files[At(d.Position()).File] && f.Declarator != nil && isStaticDefinition(f) && !isCalledAnyway(d) {
		name := f.Declarator.Name()
		if r.bodies == nil {
			r.bodies = map[string][]*bodyOfHeader{}
		}
		r.bodies[name] = append(r.bodies[name], &bodyOfHeader{declaration: d, mentions: names})
		return
	}
	r.mentioned = append(r.mentioned, names...)
}

// isCalledAnyway reports whether attributes of a function say so. Those of variables in its body, such as the section of
// a flag of WARN_ONCE, say nothing of it.
func isCalledAnyway(d *cc.ExternalDeclaration) (anyway bool) {
	ctree.Walk(d, func(n cc.Node) bool {
		switch n := n.(type) {
		case *cc.CompoundStatement:
			return false
		case *cc.AttributeValue:
			anyway = anyway || calledAnyway[ctree.AttributeName(n.Token.SrcStr())]
		}
		return true
	})
	return anyway
}

// isStaticDefinition reports whether f says static. An inline function without it may be called by
// other files.
func isStaticDefinition(f *cc.FunctionDefinition) bool {
	for s := f.DeclarationSpecifiers; s != nil; s = s.DeclarationSpecifiers {
		if c := s.StorageClassSpecifier; c != nil && c.Case == cc.StorageClassSpecifierStatic {
			return true
		}
	}
	return false
}

// follow finds the functions that are reached, by a worklist of names, and those that are left. It
// must see all declarations before.
func (r *reach) follow() {
	work := slices.Clone(r.mentioned)
	for len(work) > 0 {
		name := work[len(work)-1]
		work = work[:len(work)-1]
		for _, name := range []string{name, strings.TrimPrefix(name, "__builtin_")} { // a builtin may call its namesake
			for _, b := range r.bodies[name] {
				if !b.reached {
					b.reached = true
					work = append(work, b.mentions...)
				}
			}
		}
	}
	r.skipped = map[*cc.ExternalDeclaration]bool{}
	// The others are left out.
	for _, list := range r.bodies {
		for _, b := range list {
			if !b.reached {
				r.skipped[b.declaration] = true
			}
		}
	}
}
