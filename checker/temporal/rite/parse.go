package rite

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"c2bp/source"
)

// This file parses expressions.

// Scope tells the meaning of names.
type Scope interface {
	// Variable returns the number of a variable that leads to an object.
	Variable(name string) (id int, ok bool)
	// Field returns the number of a field that leads to an object.
	Field(name string) (id int, ok bool)
	// Flag returns the number of a Boolean, which is free if it is a variable, and otherwise a field.
	Flag(name string) (id int, free, ok bool)
	// Names returns all names, for proposals.
	Names() []string
}

// maxDepth is the number of nested parentheses that an expression may have.
const maxDepth = 1000

// Parse parses the expression that stands in a file from one offset to another.
func Parse(file *source.File, from, to int, scope Scope) (*Expr, error) {
	p := &parser{file: file, text: string(file.Text[:to]), at: from, scope: scope}
	e, err := p.alternatives()
	if err != nil {
		return nil, err
	}
	if p.at < len(p.text) {
		if p.text[p.at] == ')' {
			return nil, p.errorf(p.at, `")" without "("`)
		}
		return nil, p.errorf(p.at, `unexpected %s; expected ".", "+", "*" or the end of the expression`, p.peek())
	}
	return e, nil
}

// parser is the state of a parse.
type parser struct {
	file  *source.File
	text  string
	at    int
	scope Scope
	depth int
}

// skip skips spaces.
func (p *parser) skip() {
	for p.at < len(p.text) && strings.IndexByte(" \t\r\n", p.text[p.at]) >= 0 {
		p.at++
	}
}

// space skips spaces, and reports whether the text goes on with c, which it skips, too.
func (p *parser) space(c byte) bool {
	p.skip()
	if p.at < len(p.text) && p.text[p.at] == c {
		p.at++
		return true
	}
	return false
}

// peek names the next character in messages.
func (p *parser) peek() string {
	if p.at == len(p.text) {
		return "the end of the expression"
	}
	r, _ := utf8.DecodeRuneInString(p.text[p.at:])
	return fmt.Sprintf("%q", string(r))
}

// alternatives parses r + … + r.
func (p *parser) alternatives() (*Expr, error) {
	if p.depth++; p.depth > maxDepth {
		return nil, p.errorf(p.at, "more than %d parentheses inside each other", maxDepth)
	}
	defer func() { p.depth-- }()
	return p.chain(Alt, '+', p.sequence)
}

// sequence parses r . … . r.
func (p *parser) sequence() (*Expr, error) { return p.chain(Seq, '.', p.repeated) }

// chain parses operands with an operator between them.
func (p *parser) chain(kind Kind, operator byte, operand func() (*Expr, error)) (*Expr, error) {
	x, err := operand()
	for err == nil && p.space(operator) {
		pos := p.file.Pos(p.at - 1)
		var y *Expr
		if y, err = operand(); err == nil {
			x = &Expr{Kind: kind, X: x, Y: y, Pos: pos}
		}
	}
	return x, err
}

// repeated parses an operand with stars after it.
func (p *parser) repeated() (*Expr, error) {
	x, err := p.operand()
	for err == nil && p.space('*') {
		// A star of a star is the star.
		if x.Kind != Star {
			x = &Expr{Kind: Star, X: x, Pos: p.file.Pos(p.at - 1)}
		}
	}
	return x, err
}

// operand parses a step, or an expression in parentheses.
func (p *parser) operand() (*Expr, error) {
	switch open := p.space('('); {
	case open:
		return p.parenthesis(p.at - 1)
	case strings.HasPrefix(p.text[p.at:], "ε"):
		p.at += len("ε")
		return &Expr{Pos: p.file.Pos(p.at - len("ε"))}, nil
	}
	not, start := p.space('!'), p.at
	p.skip()
	at := p.at
	name := p.name()
	switch {
	case name == "" && not:
		return nil, p.errorf(at, `unexpected %s; expected a variable or a Boolean after "!"`, p.peek())
	case name == "":
		return nil, p.errorf(at, `unexpected %s; expected a variable, a field, a Boolean such as done?, or "("`, p.peek())
	}
	var e *Expr
	var err error
	if p.space('?') {
		e, err = p.flag(name, at, not)
	} else {
		e, err = p.variableOrField(name, at, not)
	}
	if err == nil && not {
		e.Pos = p.file.Pos(start - 1)
	}
	return e, err
}

// parenthesis parses the rest of an expression in parentheses; () is ε.
func (p *parser) parenthesis(open int) (*Expr, error) {
	if p.space(')') {
		return &Expr{Pos: p.file.Pos(open)}, nil
	}
	x, err := p.alternatives()
	switch {
	case err != nil:
		return nil, err
	case p.space(')'):
		return x, nil
	case p.at == len(p.text):
		return nil, p.errorf(open, `"(" is not closed`)
	}
	return nil, p.errorf(p.at, `unexpected %s; expected ".", "+", "*" or ")"`, p.peek())
}

// name reads a name, which another one may qualify; "" if there is none. Any text in balanced braces is a name, too:
// that of a predicate.
func (p *parser) name() string {
	start := p.at
	if depth := 0; p.at < len(p.text) && p.text[p.at] == '{' {
		for i := p.at; i < len(p.text); i++ {
			switch p.text[i] {
			case '{':
				depth++
			case '}':
				depth--
			}
			if depth == 0 {
				p.at = i + 1
				return p.text[start:p.at]
			}
		}
		return ""
	}
	for p.at < len(p.text) {
		c := p.text[p.at]
		letter := c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
		switch {
		case letter, p.at > start && (c >= '0' && c <= '9' || c == '\''):
			p.at++
		case p.at > start && strings.HasPrefix(p.text[p.at:], "::"):
			p.at += 2
		default:
			return p.text[start:p.at]
		}
	}
	return p.text[start:p.at]
}

// flag returns the test of a Boolean.
func (p *parser) flag(name string, at int, not bool) (*Expr, error) {
	id, free, ok := p.scope.Flag(name)
	if !ok {
		if _, is := p.scope.Variable(name); is {
			return nil, p.errorf(at, `"%s" is no Boolean but leads to objects: write %s without "?"`, name, name)
		}
		if _, is := p.scope.Field(name); is {
			return nil, p.errorf(at, `"%s" is no Boolean but leads to objects: write %s without "?"`, name, name)
		}
		return nil, p.unknown(name, at, "Boolean")
	}
	kind := Flag
	if not {
		kind = NotFlag
	}
	return &Expr{Kind: kind, Name: name, ID: id, Free: free, Pos: p.file.Pos(at)}, nil
}

// variableOrField returns the test of a variable, or the step along a field.
func (p *parser) variableOrField(name string, at int, not bool) (*Expr, error) {
	v, isVariable := p.scope.Variable(name)
	f, isField := p.scope.Field(name)
	if !isVariable && !isField && (name == "nil" || name == "null") {
		v, isVariable = Nil, true
	}
	e := &Expr{Kind: Variable, Name: name, ID: v, Pos: p.file.Pos(at)}
	switch {
	case isVariable && isField && !not:
		return nil, p.errorf(at, `"%s" is a variable and a field`, name)
	case isVariable && not:
		e.Kind = NotVariable
	case isVariable:
	case isField && not:
		return nil, p.errorf(at, `"%s" is a field; "!" stands before a variable or a Boolean`, name)
	case isField:
		e.Kind, e.ID = Field, f
	default:
		if _, _, is := p.scope.Flag(name); is {
			return nil, p.errorf(at, `"%s" is a Boolean: write %s?`, name, name)
		}
		return nil, p.unknown(name, at, "variable or field")
	}
	return e, nil
}

// unknown returns the error about a name that stands for nothing.
func (p *parser) unknown(name string, at int, kind string) error {
	hint := ""
	for _, n := range p.scope.Names() {
		if strings.EqualFold(n, name) || oneApart(n, name) {
			hint = fmt.Sprintf("; did you mean %q?", n)
			break
		}
	}
	return p.errorf(at, `there is no %s "%s"%s`, kind, name, hint)
}

// oneApart reports whether two names differ in one character, or in one that is missing.
func oneApart(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(b)-len(a) > 1 || len(b) < 3 {
		return false
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	if len(a) == len(b) {
		return i < len(a) && a[i+1:] == b[i+1:]
	}
	return a[i:] == b[i+1:]
}

// errorf returns an error at an offset.
func (p *parser) errorf(at int, format string, args ...any) error {
	return p.file.Errorf(p.file.Pos(at), format, args...)
}
