package zing

import (
	"fmt"

	"c2bp/source"
)

// This file defines the frame of the parser: files, tokens, errors and recovery. It is a
// recursive-descent parser; recursion follows nesting and the length of expressions, which are
// limited.

const maxNesting = 10_000 // levels of statements and parentheses, and operators of an expression

// Load parses and checks a program.
func Load(files []*source.File) (p *Program, warnings source.List, err error) {
	if p, err = Parse(files); err != nil {
		return nil, nil, err
	}
	if warnings, err = Check(p); err != nil {
		return nil, warnings, err
	}
	return p, warnings, nil
}

// Parse reads the files of a program. It recovers from syntax errors where it can: the error is then
// a source.List. Names are not resolved: see Check.
func Parse(files []*source.File) (*Program, error) {
	prog := &Program{}
	var errs source.List
	for _, f := range files {
		p := newParser(f)
		p.guard(func() { p.file(prog) })
		prog.Files = append(prog.Files, p.positions)
		errs = append(errs, p.errs...)
	}
	if errs.Err() != nil {
		return nil, errs
	}
	return prog, nil
}

// parser is the state of the parse of one file.
type parser struct {
	positions *source.File
	cursor    source.Cursor
	lex       *lexer
	tok       token   // the current token
	ahead     []token // tokens after it that have been read
	prevEnd   int     // end of the token before tok
	errs      source.List
	depth     int // levels around the current token
}

func newParser(f *source.File) *parser {
	positions, text := unmarked(f)
	p := &parser{positions: positions, cursor: source.Cursor{File: positions}}
	p.lex = &lexer{text: text, lineStart: true, report: p.errorAt}
	return p
}

// Panic values that guard catches: they say how far an error throws the parser.
type (
	abandon    struct{} // to the end of the statement, member or declaration
	abandonAll struct{} // enough errors
)

// guard runs parse and returns the reason for which it abandoned its work, or nil.
func (p *parser) guard(parse func()) (reason any) {
	depth := p.depth
	defer func() {
		switch r := recover(); r.(type) {
		case nil:
		case abandon, abandonAll:
			p.depth, reason = depth, r
		default:
			// A panic of another kind is a defect.
			panic(r)
		}
	}()
	parse()
	return nil
}

// errorAt reports an error and returns, unless there are too many.
func (p *parser) errorAt(off int, format string, args ...any) {
	if p.errs.AddError(p.positions.Errorf(p.positions.Pos(off), format, args...)) {
		panic(abandonAll{})
	}
}

// fail reports an error at the current token and abandons the statement, member or declaration. It
// says nothing if the lexer has reported the token, or if the file ends after other errors, which
// may be the reason.
func (p *parser) fail(format string, args ...any) {
	if p.tok.kind != tokBad && (p.tok.kind != tokEOF || len(p.errs) == 0) {
		p.errorAt(p.tok.off, format, args...)
	}
	panic(abandon{})
}

// expected reports that something else was expected instead of the current token.
func (p *parser) expected(what string) { p.fail("expected %s, found %s", what, p.tok.describe()) }

// advance makes the next token the current one.
func (p *parser) advance() {
	p.prevEnd = p.tok.end
	if len(p.ahead) == 0 {
		p.tok = p.lex.next()
		return
	}
	p.tok, p.ahead = p.ahead[0], p.ahead[1:]
}

// peek returns the token after the current one.
func (p *parser) peek() *token {
	if len(p.ahead) == 0 {
		p.ahead = append(p.ahead, p.lex.next())
	}
	return &p.ahead[0]
}

// accept steps over the keyword or operator text, and reports whether it is there.
func (p *parser) accept(text string) bool {
	if !p.tok.is(text) {
		return false
	}
	p.advance()
	return true
}

// expect steps over the keyword or operator text, or fails.
func (p *parser) expect(text string) {
	if !p.accept(text) {
		p.expected(fmt.Sprintf("%q", text))
	}
}

// end steps over the semicolon after something. A missing one is reported where it should stand.
func (p *parser) end(after string) {
	if p.tok.kind == tokBad || p.accept(";") {
		return
	}
	p.errorAt(p.prevEnd, `expected ";" after %s, found %s`, after, p.tok.describe())
	panic(abandon{})
}

// span returns the text from offset start up to the end of the latest token.
func (p *parser) span(start int) Span {
	return Span{p.cursor.Pos(start), p.cursor.Pos(max(start, p.prevEnd))}
}

// ident reads the name of a thing.
func (p *parser) ident(thing string) Ident {
	if p.tok.kind == tokKeyword {
		p.fail("expected %s, found the keyword %q; as a name it is written @%s", thing, p.tok.text, p.tok.text)
	}
	if p.tok.kind != tokName {
		p.expected(thing)
	}
	start, name := p.tok.off, p.tok.text
	p.advance()
	return Ident{p.span(start), name}
}

// atType reports whether the current token can be the name of a type.
func (p *parser) atType() bool { return p.tok.kind == tokName || p.atPredefined() }

// atPredefined reports whether the current token is the keyword of a type.
func (p *parser) atPredefined() bool {
	return p.tok.kind == tokKeyword && predefined[p.tok.text] != nil
}

// typeRef reads the name of a type.
func (p *parser) typeRef() *TypeRef {
	if !p.atType() {
		p.expected("a type")
	}
	start, name := p.tok.off, p.tok.text
	t := &TypeRef{Name: name}
	if p.tok.kind == tokKeyword {
		t.Type = predefined[name]
	}
	p.advance()
	t.Span = p.span(start)
	return t
}

// enter adds a level of nesting, and leave takes it back.
func (p *parser) enter() {
	if p.depth++; p.depth > maxNesting {
		p.errorAt(p.tok.off, "nested deeper than %d levels", maxNesting)
		panic(abandonAll{})
	}
}
func (p *parser) leave() { p.depth-- }

// attributes steps over attributes in brackets.
func (p *parser) attributes() {
	for p.tok.is("[") {
		start := p.tok.off
		for depth := 0; ; {
			switch {
			case p.tok.is("["):
				depth++
			case p.tok.is("]"):
				depth--
			case p.tok.kind == tokEOF:
				p.errorAt(start, `this attribute is not closed: expected "]" before the end of the file`)
				panic(abandon{})
			}
			if p.advance(); depth == 0 {
				break
			}
		}
	}
}

// recoverAt continues after an error inside a list that a "}" ends: at that "}", or after the
// statement or member that was abandoned, which ends with a ";" or with its own "}".
func (p *parser) recoverAt(reason any) {
	switch reason.(type) {
	case nil:
		return
	case abandonAll:
		panic(reason)
	}
	for depth := 0; p.tok.kind != tokEOF; p.advance() {
		switch {
		case p.tok.is("{"):
			depth++
		case p.tok.is("}"):
			if depth == 0 {
				return
			}
			if depth--; depth == 0 {
				p.advance()
				return
			}
		case p.tok.is(";") && depth == 0:
			p.advance()
			return
		}
	}
}
