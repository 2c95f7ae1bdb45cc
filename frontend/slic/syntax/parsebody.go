package syntax

import (
	"regexp"
	"slices"
	"strings"

	"c2bp/source"
)

// This file parses bodies and the declaration of ghost state.

// state takes the rest of a declaration of ghost state.
func (p *parser) state(pos source.Pos) *State {
	s := &State{Pos: pos}
	p.expect("{", "and declarations")
	for !p.accept("}") {
		// 1. The type: an enumeration of the rule's own, or one of C's.
		var of Ghost
		if p.tok().is("enum") && p.peek(1).is("{") {
			p.at += 2
			of.Enum = p.names("a constant of the enumeration")
			p.expect("}", `or ","`)
		} else {
			of.Type = p.specifiers()
		}
		// 2. The variables.
		for {
			g := of
			for p.accept("*") {
				g.Stars++
			}
			g.Name = p.name("the name of a variable")
			if t := p.tok(); t.is("[") {
				p.errorf(t.pos, `an array of ghost state; expected "=", "," or ";": ghost state is numbers and pointers`)
			}
			if p.accept("=") {
				g.Init = p.conditional()
			}
			s.Vars = append(s.Vars, &g)
			if !p.accept(",") {
				break
			}
		}
		p.expect(";", `or ","`)
	}
	return s
}

// body takes a block.
func (p *parser) body() *Block {
	if t := p.tok(); !t.is("{") {
		p.fail(t, `"{" and what is to be done there`)
	}
	return p.block()
}

// block takes a block; the next token is its brace.
func (p *parser) block() *Block {
	defer p.deeper()()
	b := &Block{Pos: p.expect("{", "").pos}
	for !p.accept("}") {
		if p.accept(";") {
			continue
		}
		b.List = append(b.List, p.stmt())
	}
	return b
}

// loops are the words that statements of C begin with, and which bodies do not have.
var loops = []string{"while", "for", "do", "goto", "switch", "return", "break", "continue", "case", "default", "asm"}

// stmt takes a statement.
func (p *parser) stmt() Stmt {
	defer p.deeper()()
	t := p.tok()
	switch {
	case t.is("{"):
		return p.block()
	case p.accept("if"):
		s := &If{Pos: t.pos}
		p.expect("(", "and a condition")
		s.Cond = p.expr()
		p.expect(")", "")
		if p.tok().is(";") {
			p.fail(p.tok(), "a statement")
		}
		s.Then = p.stmt()
		if p.accept("else") {
			s.Else = p.stmt()
		}
		return s
	case t.is("abort") && p.peek(1).kind == text:
		return p.abort()
	case t.is("assume") && !assigns(p.peek(1)):
		p.at++
		s := &Assume{Pos: t.pos, Cond: p.expr()}
		p.expect(";", "")
		return s
	case t.kind == ident && slices.Contains(loops, t.text):
		p.errorf(t.pos, `"%s": bodies are free of loops and jumps; expected if, an assignment, abort or assume`, t.text)
	case t.is("abort"):
		p.fail(p.peek(1), `a string "key: text"`)
	}
	return p.assignment()
}

// assigns reports whether t is an operator that assigns.
func assigns(t token) bool {
	return t.is("++") || t.is("--") || t.kind == punct && strings.HasSuffix(t.text, "=") && !slices.Contains([]string{"==", "!=", "<=", ">="}, t.text)
}

// abortText is the form of the string of abort.
var abortText = regexp.MustCompile(`^([a-z][a-z0-9]*(?:-[a-z0-9]+)*): (\S.*)$`)

// abort takes abort "key: text";
func (p *parser) abort() *Abort {
	a := &Abort{Pos: p.tok().pos}
	p.at++
	t := p.tok()
	p.at++
	m := abortText.FindStringSubmatch(p.unquote(t))
	if m == nil {
		p.errorf(t.pos, `%s; expected "key: text", with a key of small letters, digits and hyphens such as double-lock`, t)
	}
	a.Key, a.Text = m[1], m[2]
	p.expect(";", "")
	return a
}

// assignment takes an assignment.
func (p *parser) assignment() Stmt {
	t := p.tok()
	if t.kind != ident || isReserved(t.text) && t.text != "sizeof" {
		p.fail(t, "if, an assignment to ghost state, abort or assume")
	}
	x := p.unary()
	to, isName := x.(*Ident)
	op := p.tok()
	switch {
	case !assigns(op):
		p.fail(op, `"=" or another assignment`)
	case !isName:
		p.errorf(t.pos, "an assignment to memory of the program; expected a variable of the rule's state: a rule observes, and changes nothing else")
	}
	p.at++
	a := &Assign{To: to.Name, Op: op.text}
	switch op.text {
	case "++", "--":
		a.Op, a.Value = op.text[:1]+"=", &Literal{op.pos, "1"}
	default:
		a.Value = p.expr()
	}
	p.expect(";", "")
	return a
}
