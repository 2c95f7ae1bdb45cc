package predicate

import (
	"fmt"
	"strings"

	"modernc.org/cc/v4"

	"c2bp/frontend/core"
)

// This file finds the variables that the names in predicates mean. C's scoping at the end
// of the block and the names of the core program must agree.

// qualified matches a name with :: in it, a static object, at the start of rest; n is 0 if there is
// none. The longest name counts.
func (s *nameScanner) qualified(rest string) (n int, v *core.Var) {
	// Names of files have dots and slashes, so these names are compared as they are.
	for g := range s.Globals() {
		name := g.Name
		if len(name) > n && strings.Contains(name, "::") && strings.HasPrefix(rest, name) && !continues(rest, len(name)) {
			n, v = len(name), g
		}
	}
	return n, v
}

// name reads x, x@LINE or x@LINE:COL at the start of rest: n bytes that name v. If they name none,
// v is nil and msg says why.
func (s *nameScanner) name(rest string) (n int, v *core.Var, msg string) {
	if n, v := s.qualified(rest); n > 0 {
		return n, v, ""
	}
	for continues(rest, n) {
		n++
	}
	// x@LINE: the name that the core program has, or the line of a declaration.
	word := rest[:n]
	if n < len(rest) && rest[n] == '@' {
		m := n + 1
		for m < len(rest) && (rest[m] >= '0' && rest[m] <= '9' || rest[m] == ':' && m+1 < len(rest) && rest[m+1] >= '0' && rest[m+1] <= '9') {
			m++
		}
		if v := s.exact(s.q, rest[:m]); v != nil {
			return m, v, ""
		}
		if v, ok := s.declaredAt(word, rest[n+1:m]); ok {
			return m, v, ""
		}
		return m, nil, fmt.Sprintf("no variable %s is declared at line %s", word, rest[n+1:m])
	}
	v, msg = s.lookup(s.q, word)
	return n, v, msg
}

// declaredAt finds a local by the line of its declaration, also where its name would do without; ok
// is false if none or several are declared there.
func (s *nameScanner) declaredAt(word, line string) (*core.Var, bool) {
	if s.q.fn == nil {
		return nil, false
	}
	var found *core.Var
	count := 0
	for _, list := range [][]*core.Var{s.q.fn.Proc.Formals, s.q.fn.Proc.Locals} {
		for _, v := range list {
			base, _, _ := strings.Cut(v.Name, "@")
			if base == word && v.Kind != core.Temp && fmt.Sprint(v.Pos.Line) == line {
				found = v
				count++
			}
		}
	}
	return found, count == 1
}

// exact returns the variable that the core program calls word, nil if there is none that q can see.
// Locals hide globals.
func (r *resolution) exact(q *request, word string) *core.Var {
	if q.fn != nil {
		for _, list := range [][]*core.Var{q.fn.Proc.Formals, q.fn.Proc.Locals} {
			for _, v := range list {
				if v.Name == word && v.Kind != core.Temp && word != `\result` {
					return v
				}
			}
		}
	}
	for g := range r.Globals() {
		if g.Name == word {
			return g
		}
	}
	return nil
}

// lookup returns the variable that word means in q's scope. C's scoping at the end of the body and
// the names of the core program must agree. Without a variable the text says why.
func (r *resolution) lookup(q *request, word string) (*core.Var, string) {
	v := r.exact(q, word)
	c := r.visible(q, word)
	switch {
	case v == nil && c == nil && r.Defines(word):
		return nil, fmt.Sprintf("nothing that the program reaches uses %s", word)
	case v == nil && c == nil && q.object != nil:
		return nil, fmt.Sprintf("%s has no member %s, and there is no global variable of that name", q.object.name, word)
	case v == nil && c == nil && q.fn == nil:
		return nil, fmt.Sprintf("unknown global variable %s", word)
	case v == nil && c == nil:
		return nil, fmt.Sprintf("unknown name %s in procedure %s", word, q.fn.Name)
	// The core program has another name for it, such as x@12.
	case v == nil:
		return c, ""
	// Of two variables the user must say which.
	case c != nil && c != v:
		return nil, fmt.Sprintf("%s is ambiguous: a variable hides another of that name; write %s for the one declared at line %d", word, atLine(c), c.Pos.Line)
	}
	return v, ""
}

// atLine returns the name x@LINE of v, by which declaredAt finds it.
func atLine(v *core.Var) string {
	base, _, _ := strings.Cut(v.Name, "@")
	return fmt.Sprintf("%s@%d", base, v.Pos.Line)
}

// visible returns the variable that C's scoping gives word at the end of the body, nil if there is
// none in the program.
func (r *resolution) visible(q *request, word string) *core.Var {
	for _, n := range r.scopeNodes(q, word) {
		switch n := n.(type) {
		case *cc.Declarator:
			// A global that the program does not reach is not in the core program, and counts as
			// not declared.
			if !n.IsTypename() {
				if v := r.Variables()[n]; v != nil && (v.Kind != core.Global || r.InProgram(v)) {
					return v
				}
			}
		case *cc.Parameter:
			if v := r.Variables()[n.Declarator]; v != nil {
				return v
			}
		}
	}
	return nil
}

// scopeNodes returns the declarations of word that are in scope at the end of the body, innermost
// scope first; for a global predicate those at the end of the file.
func (r *resolution) scopeNodes(q *request, word string) (nodes []cc.Node) {
	scope := r.units[q.tu].AST.Scope
	if q.fn != nil {
		scope = q.block.LexicalScope()
	}
	for ; scope != nil; scope = scope.Parent {
		nodes = append(nodes, scope.Nodes[word]...)
	}
	return nodes
}

// isTypeOrConstant reports whether word is a type, an enumeration constant, a function or a macro
// in q's scope: the innermost declaration tells.
func (s *nameScanner) isTypeOrConstant(word string) bool {
	for _, n := range s.scopeNodes(s.q, word) {
		switch n := n.(type) {
		case *cc.Enumerator:
			return true
		case *cc.Declarator:
			return n.IsTypename() || n.Type() != nil && n.Type().Kind() == cc.Function
		case *cc.Parameter:
			return false
		}
	}
	return s.units[s.q.tu].AST.Macros[word] != nil
}

// isKeyword reports whether word is part of C's grammar of expressions and type
// names.
func isKeyword(word string) bool {
	switch word {
	case "sizeof", "_Alignof", "__alignof__", "_Generic", "typeof", "__typeof__",
		"int", "char", "short", "long", "signed", "unsigned", "_Bool", "void", "float", "double",
		"struct", "union", "enum", "const", "volatile", "__signed__", "__const":
		return true
	}
	return false
}
