package predicate

import (
	"fmt"

	"c2bp/frontend/ccfix"
	"c2bp/frontend/core"
)

// This file reads quotes in predicates: character constants, and the values that
// expressions had on entry of the procedure.

// quote reads a character constant or a quoted name: the value on entry.
//
//	c == 'a'      a character constant
//	c == 'a + 1   the value of a on entry
//	'*p  '(p->f)  the values of *p and of p->f on entry
//
// A scanner of its own, which shares the names with s, reads the quoted part.
func (s *nameScanner) quote() {
	rest := s.text[s.i:]
	if n := charConstant(rest); n > 0 {
		s.previous = "'"
		s.copy(n)
		return
	}
	if s.q.object != nil {
		s.fail(s.i, "a quote names a value on entry of a procedure, which has no meaning in %s", s.q.section())
		return
	}
	// Values on entry of values on entry would say nothing new.
	if s.entry {
		s.fail(s.i, "a quote inside of a quoted expression")
		return
	}
	// The quote stands on stars and then on a name or on an expression in parentheses. The inner
	// scanner begins after the quote, and knows where that is.
	j := blanks(rest, 1)
	stars := 0
	for j < len(rest) && rest[j] == '*' {
		stars++
		j = blanks(rest, j+1)
	}
	inner := &nameScanner{resolution: s.resolution, q: s.q, text: s.text, i: s.i + 1, known: s.known, entry: true, quoted: s.i, ok: true}
	switch {
	case stars == 0 && j < len(rest) && rest[j] == '(':
		inner.copy(j - 1)
		inner.parenthesised()
	case j == len(rest) || !ccfix.IsIdentByte(rest[j]):
		s.fail(s.i, nothingQuoted)
		return
	default:
		inner.copy(j - 1)
		inner.quotedName()
	}
	// An error of the inner scanner, reported by it, ends the whole.
	s.nameless = inner.nameless
	if s.ok = inner.ok; s.ok {
		s.bindEntry(inner)
	}
}

// blanks returns the offset of the end of the blanks at i, i if there are none.
func blanks(text string, i int) int {
	for i < len(text) && (text[i] == ' ' || text[i] == '\t' || text[i] == '\n') {
		i++
	}
	return i
}

// parenthesised reads an expression in parentheses, from the opening one on to the one that closes
// it.
func (s *nameScanner) parenthesised() {
	for s.token(); s.ok && len(s.depth) > 0 && s.i < len(s.text); {
		s.token()
	}
	if s.ok && len(s.depth) > 0 {
		s.unclosed()
	}
}

// quotedName reads the name of a variable, and reports an error if there is none at s.i.
func (s *nameScanner) quotedName() {
	rest := s.text[s.i:]
	n, v, msg := s.name(rest)
	switch {
	case v != nil:
		s.variable(rest[:n], v, n)
	case rest[0] >= '0' && rest[0] <= '9':
		s.fail(s.quoted, nothingQuoted)
	default:
		s.fail(s.i, "%s", msg)
	}
}

const nothingQuoted = "expected the name of a formal or a global after the quote, or an expression in parentheses: 'x, '*p, '(p->f)"

// hasEntry reports whether v has a value on entry; if not, that is reported at the
// quote or, in a longer expression, at v.
func (s *nameScanner) hasEntry(spelling string, v *core.Var) bool {
	offset := s.i
	// In '(p->f) the error is at p; in 'x at the quote.
	if len(s.depth) == 0 {
		offset = s.quoted
	}
	switch {
	case s.q.fn == nil:
		s.fail(offset, "'%s names a value on entry of a procedure, which has no meaning in the section global", spelling)
	case v.Kind != core.Formal && v.Kind != core.Global:
		s.fail(offset, "%s is a local variable and has no value on entry; 'x needs a formal or a global", v.Name)
	default:
		return true
	}
	return false
}

// bindEntry writes the $-name for the value on entry of the expression that inner has read. Equal
// texts have one name.
func (s *nameScanner) bindEntry(inner *nameScanner) {
	spelling := s.text[s.i:inner.i]
	if s.q.fn == nil { // without any name in it
		s.fail(s.i, "%s names a value on entry of a procedure, which has no meaning in the section global", spelling)
		return
	}
	i, ok := s.known[spelling]
	if !ok {
		i = len(s.q.names)
		s.known[spelling] = i
		c := inner.finished()
		s.q.names = append(s.q.names, name{spelling: spelling, entry: &c, quote: s.i})
	}
	s.previous = "x"
	s.put(dollar(i), inner.i)
}

// charConstant returns the length of the character constant that text starts with, or 0: a quote
// that closes after one character or escape. text begins with a quote: '\n' has 4 bytes, 'a + 'b is
// none.
func charConstant(text string) int {
	switch {
	// An escape has several characters, but not more than those of \U0010ffff.
	case len(text) > 3 && text[1] == '\\':
		for j := 3; j < len(text) && j < 12 && text[j] != '\n'; j++ {
			if text[j] == '\'' {
				return j + 1
			}
		}
	case len(text) > 2 && text[2] == '\'' && text[1] != '\'' && text[1] != '\n':
		return 3
	}
	return 0
}

// ghost returns the symbolic constant for the value of init on entry of proc. Equal ones are one
// variable, also of different calls of Resolve; the first spelling is its name.
func (u *Resolver) ghost(proc *core.Proc, init core.Expr, spelling string) *core.Var {
	key := ghostKey{proc, exprKey(init)}
	g := u.ghosts[key]
	if g == nil {
		g = &core.Var{Name: spelling, Type: init.Type(), Kind: core.Ghost, Proc: proc, Pos: proc.Pos, Init: init}
		if r, ok := init.(*core.VarRef); ok {
			g.Name, g.Pos = "'"+r.Var.Name, r.Var.Pos
		}
		u.ghosts[key] = g
	}
	return g
}

// ghostKey identifies a symbolic constant: the expression whose value on entry of the procedure it is.
type ghostKey struct {
	proc *core.Proc
	init string // see exprKey
}

// exprKey tells apart the expressions of one procedure: the core form shows types, but not the
// offsets of members and the sizes of elements, which are added at its end.
func exprKey(e core.Expr) string {
	key := core.ExprString(e)
	core.Walk(e, func(x core.Expr) bool {
		switch x := x.(type) {
		case *core.Offset:
			key += fmt.Sprintf(" %d", x.Off)
		case *core.Index:
			key += fmt.Sprintf(" *%d", x.Size)
		case *core.Diff:
			key += fmt.Sprintf(" /%d", x.Size)
		}
		return true
	})
	return key
}
