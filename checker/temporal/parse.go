package temporal

import (
	"strings"

	"c2bp/source"
)

// This file parses formulas:
//
//	formula := formula op formula | ( "!" | "X" | "F" | "G" ) formula | "(" formula ")" | atom | "true" | "false"
//	op      := "U" | "R" | "W"       the tightest, to the right
//	         | "&" | "|"             then these, & before |
//	         | "->" | "<->"          the loosest, -> before <->, to the right
//	atom    := "{" text "}" | name | name "?" | "@" name        name := identifier [ "::" identifier ]
//
// && and || are & and |. GF p is G F p: a word made of the letters X, F and G is operators, and the words U, R
// and W are operators; such names are written in braces.

// AtomText is an atom as it is written in the text of a formula.
type AtomText struct {
	Text string       // with the braces: {x.next*.y}, x?, @label
	File *source.File // the text of the formula
	At   int          // the offset of Text
}

// Braced returns the text inside of the braces, and its offset; ok is false if there are none.
func (a AtomText) Braced() (text string, at int, ok bool) {
	if !strings.HasPrefix(a.Text, "{") {
		return "", 0, false
	}
	return a.Text[1 : len(a.Text)-1], a.At + 1, true
}

// Errorf returns an error about a, whose caret is under its first character.
func (a AtomText) Errorf(format string, args ...any) *source.Diagnostic {
	return a.File.Errorf(a.File.Pos(a.At), format, args...)
}

// Resolve gives an atom its number. Atoms that mean the same should have the same one; see Numbering.
type Resolve func(a AtomText) (int, error)

// Numbering gives keys numbers from 0 in the order in which they come.
type Numbering struct{ Keys []string }

// Number returns the number of a key. It fails if there are more than MaxAtoms.
func (n *Numbering) Number(key string, a AtomText) (int, error) {
	for i, k := range n.Keys {
		if k == key {
			return i, nil
		}
	}
	if len(n.Keys) == MaxAtoms {
		return 0, a.Errorf("more than %d different atoms", MaxAtoms)
	}
	n.Keys = append(n.Keys, key)
	return len(n.Keys) - 1, nil
}

// maxDepth is the number of nested operators and parentheses that a formula may have.
const maxDepth = 1000

// Parse parses the formula that is the text of a file, whose name errors show. The error of resolve is that of
// Parse.
func Parse(file *source.File, resolve Resolve) (*Formula, error) {
	p := &parser{lexer: lexer{file: file, text: string(file.Text)}, resolve: resolve}
	if err := p.advance(); err != nil {
		return nil, err
	}
	f, err := p.formula(1)
	if err != nil {
		return nil, err
	}
	switch p.now.kind {
	case endToken:
		return f, nil
	case closeToken:
		return nil, p.errorf(p.now.at, `")" without "("`)
	}
	return nil, p.errorf(p.now.at, "unexpected %s; expected an operator or the end of the formula", p.now.describe())
}

// parser is the state of a parse: now is the next token.
type parser struct {
	lexer
	now     token
	resolve Resolve
	depth   int
}

// advance reads the next token.
func (p *parser) advance() (err error) {
	p.now, err = p.next()
	return err
}

// formula parses a formula whose operators bind at least as tightly as level.
func (p *parser) formula(level int) (*Formula, error) {
	if p.depth++; p.depth > maxDepth {
		return nil, p.errorf(p.now.at, "more than %d operators and parentheses inside each other", maxDepth)
	}
	defer func() { p.depth-- }()
	x, err := p.operand()
	for err == nil && p.now.kind == binaryToken && p.now.op.level() >= level {
		op := p.now
		if err = p.advance(); err != nil {
			break
		}
		// The right operand has tighter operators only, or those that associate to the right.
		next := op.op.level()
		if op.op.associates() {
			next++
		}
		var y *Formula
		if y, err = p.formula(next); err == nil {
			x = &Formula{Op: op.op, X: x, Y: y, Pos: p.file.Pos(op.at)}
		}
	}
	return x, err
}

// operand parses a constant, an atom, or a formula with an operator or parentheses before it.
func (p *parser) operand() (*Formula, error) {
	t := p.now
	pos := p.file.Pos(t.at)
	switch t.kind {
	case constantToken:
		return &Formula{Op: t.op, Pos: pos}, p.advance()
	case atomToken:
		n, err := p.resolve(AtomText{Text: t.text, File: p.file, At: t.at})
		if err != nil {
			return nil, err
		}
		return &Formula{Op: Atom, Atom: n, Text: t.text, Pos: pos}, p.advance()
	case unaryToken:
		if err := p.advance(); err != nil {
			return nil, err
		}
		x, err := p.formula(Not.level())
		return &Formula{Op: t.op, X: x, Pos: pos}, err
	case openToken:
		return p.parenthesis(t)
	case binaryToken:
		return nil, p.errorf(t.at, "%s needs a formula on its left", t.describe())
	}
	return nil, p.errorf(t.at, "unexpected %s; expected a formula", t.describe())
}

// parenthesis parses a formula in parentheses, the first of which is open.
func (p *parser) parenthesis(open token) (*Formula, error) {
	if err := p.advance(); err != nil {
		return nil, err
	}
	x, err := p.formula(1)
	switch {
	case err != nil:
		return nil, err
	case p.now.kind == endToken:
		return nil, p.errorf(open.at, `"(" is not closed`)
	case p.now.kind != closeToken:
		return nil, p.errorf(p.now.at, `unexpected %s; expected an operator or ")"`, p.now.describe())
	}
	return x, p.advance()
}
