package syntax

import (
	"slices"
	"strings"
)

// This file parses types and expressions. What is a type is seen from the shape: (T)x, (T *)x and
// (unsigned long)-1 are casts for the parser; (x) - 1 and (x) * y are not, and become casts in the C
// text if x is a type.

// typeWords are words that only types begin with.
var typeWords = []string{"void", "char", "short", "int", "long", "signed", "unsigned", "float", "double", "_Bool", "struct", "union", "enum", "const", "volatile"}

// IsTypeWord reports whether s is a word of C that only types begin with.
func IsTypeWord(s string) bool { return slices.Contains(typeWords, s) }

// reserved are words of C that are no names. Those in typeWords are reserved, too.
var reserved = []string{
	"auto", "break", "case", "continue", "default", "do", "else", "extern", "for", "goto", "if", "inline", "register", "restrict",
	"return", "sizeof", "static", "switch", "typedef", "while", "asm", "typeof", "__typeof__", "choose",
}

// isReserved reports whether s is no name.
func isReserved(s string) bool {
	return slices.Contains(reserved, s) || slices.Contains(typeWords, s)
}

// specifiers takes the words of a type before any star.
func (p *parser) specifiers() Type {
	t := p.tok()
	s := Type{Pos: t.pos}
	for {
		t := p.tok()
		switch {
		case t.is("struct") || t.is("union") || t.is("enum"):
			p.at++
			s.Words = append(s.Words, t.text, p.name("a tag").Text)
		case t.kind == ident && slices.Contains(typeWords, t.text):
			p.at++
			s.Words = append(s.Words, t.text)
		// The name of a type counts only where no other word has named one.
		case t.kind == ident && !isReserved(t.text) && !s.named():
			p.at++
			s.Words = append(s.Words, t.text)
		case !s.named():
			p.fail(t, "the name of a type")
		default:
			return s
		}
	}
}

// named reports whether the words name a type, and are not only qualifiers.
func (t Type) named() bool {
	return slices.ContainsFunc(t.Words, func(w string) bool { return w != "const" && w != "volatile" })
}

// typeName takes a type with its stars.
func (p *parser) typeName() Type {
	t := p.specifiers()
	for p.accept("*") {
		t.Stars++
	}
	return t
}

// precedence lists the binary operators of C from the weakest to the strongest.
var precedence = [][]string{
	{"||"}, {"&&"}, {"|"}, {"^"}, {"&"}, {"==", "!="}, {"<", ">", "<=", ">="}, {"<<", ">>"}, {"+", "-"}, {"*", "/", "%"},
}

// expr takes an expression. An assignment in it is an error, and so is a comma.
func (p *parser) expr() Expr {
	e := p.conditional()
	if t := p.tok(); assigns(t) {
		p.errorf(t.pos, `"%s" in an expression; expected an expression without side effects`, t.text)
	}
	return e
}

// conditional takes an expression without commas and assignments.
func (p *parser) conditional() Expr {
	defer p.deeper()()
	c := p.binary(0)
	if !p.accept("?") {
		return c
	}
	x := p.expr()
	p.expect(":", "")
	return &Cond{c, x, p.conditional()}
}

// binary takes operators of this level and stronger ones.
func (p *parser) binary(level int) Expr {
	if level == len(precedence) {
		return p.unary()
	}
	x := p.binary(level + 1)
	for {
		t := p.tok()
		if t.kind != punct || !slices.Contains(precedence[level], t.text) {
			return x
		}
		p.at++
		x = &Binary{t.pos, t.text, x, p.binary(level + 1)}
	}
}

// unary takes a unary operator, a cast, sizeof, or a primary expression with its members and elements.
func (p *parser) unary() Expr {
	defer p.deeper()()
	t := p.tok()
	switch {
	case t.kind == punct && slices.Contains([]string{"-", "+", "!", "~", "*", "&"}, t.text):
		p.at++
		return &Unary{t.pos, t.text, p.unary()}
	case t.is("++") || t.is("--"):
		p.errorf(t.pos, `"%s" in an expression; expected an expression without side effects`, t.text)
	case p.accept("sizeof"):
		p.expect("(", "and a type")
		s := &Sizeof{t.pos, p.typeName()}
		p.expect(")", "")
		return s
	case t.is("(") && p.isCast():
		p.at++
		c := &Cast{To: p.typeName()}
		p.expect(")", "")
		c.X = p.unary()
		return c
	}
	return p.postfix(p.primary())
}

// isCast reports whether the parenthesis that is the next token begins a cast.
func (p *parser) isCast() bool {
	// 1. A word that only types have.
	i := 1
	if t := p.peek(i); t.kind == ident && slices.Contains(typeWords, t.text) {
		return true
	}
	// 2. (T *) and (T **) are casts of whatever follows.
	if p.peek(i).kind != ident || isReserved(p.peek(i).text) {
		return false
	}
	for i++; p.peek(i).is("*"); i++ {
	}
	if !p.peek(i).is(")") {
		return false
	}
	if i > 2 {
		return true
	}
	// 3. (T) is one before a token that begins an operand and is no operator between two.
	switch t := p.peek(i + 1); t.kind {
	case ident, number, char, text:
		return true
	case punct:
		return t.text == "(" || t.text == "~" || t.text == "!"
	}
	return false
}

// primary takes a name, a literal, a macro with arguments, choose or a parenthesis.
func (p *parser) primary() Expr {
	t := p.tok()
	switch {
	case t.kind == number || t.kind == char:
		p.at++
		return &Literal{t.pos, t.text}
	case p.accept("("):
		e := &Paren{t.pos, p.expr()}
		p.expect(")", "")
		return e
	case p.accept("choose"):
		p.expect("(", "and two values")
		c := &Choose{Pos: t.pos, X: p.expr()}
		p.expect(",", "and another value")
		c.Y = p.expr()
		p.expect(")", "")
		return c
	case t.kind == ident && !isReserved(t.text):
		p.at++
		n := Name{t.text, t.pos}
		if p.accept("(") {
			return &Call{n, p.arguments()}
		}
		return &Ident{n}
	}
	p.fail(t, "an expression")
	return nil
}

// arguments takes expressions and the parenthesis after them.
func (p *parser) arguments() (list []Expr) {
	if p.accept(")") {
		return nil
	}
	for {
		list = append(list, p.expr())
		if !p.accept(",") {
			p.expect(")", `or ","`)
			return list
		}
	}
}

// postfix takes members and elements of x.
func (p *parser) postfix(x Expr) Expr {
	// Each level of the tree counts, since others walk it by recursion.
	for n := 0; ; n++ {
		t := p.tok()
		if n > maxDepth {
			p.errorf(t.pos, "nested too deeply; expected at most %d levels", maxDepth)
		}
		switch {
		case p.accept("->"), p.accept("."):
			x = &Member{x, t.text == "->", p.name("the name of a member")}
		case p.accept("["):
			x = &Index{x, p.expr()}
			p.expect("]", "")
		default:
			return x
		}
	}
}

// String returns the type in C.
func (t Type) String() string {
	s := strings.Join(t.Words, " ")
	if t.Stars > 0 {
		s += " " + strings.Repeat("*", t.Stars)
	}
	return s
}
