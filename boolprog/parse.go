package boolprog

import (
	"bytes"
	"fmt"

	"c2bp/source"
)

// This file defines the frame of the parser: tokens, errors and recovery, programs. It is a
// recursive-descent parser; recursion follows nesting, never length, and nesting deeper than
// maxNesting is an error.

// ParseOptions selects additions to the language.
type ParseOptions struct {
	Dialect string // "" or "boppo": names may contain - and #
}

const (
	maxNesting = 100_000 // levels of statements, parentheses and operators
	maxErrors  = 20      // then Parse and Check stop
	maxWarn    = 20      // warnings of one kind
	maxResults = 10_000  // of one procedure
)

// Parse reads a Boolean program. It recovers from syntax errors where it can: the error is then a
// source.List. The warnings concern operators that other tools read differently. Names are not
// resolved: see Check.
func Parse(f *source.File, opts ParseOptions) (*Program, source.List, error) {
	p := &parser{file: f, cursor: source.Cursor{File: f}, quote: quoter{file: f}, prog: &Program{File: f}}
	p.lex = &lexer{text: f.Text, str: string(f.Text), boppo: opts.Dialect == "boppo", report: p.errorAt}
	p.guard(p.program)
	p.prog.Ledger, p.prog.Notes, p.prog.Uncalled = p.annots.ledger, p.annots.notes, p.annots.uncalled
	p.errs.Sort()
	if err := p.errs.Err(); err != nil {
		return nil, p.warns, err
	}
	return p.prog, p.warns, nil
}

// parser is the state of a parse.
type parser struct {
	file        *source.File
	cursor      source.Cursor
	mem         memory
	open        []*Stmt // statements of the open blocks, inner ones after outer ones
	quote       quoter
	lex         *lexer
	tok, ahead  token // the current token and the next one
	annots      annotations
	prog        *Program
	errs, warns source.List
	procErrs    int // errors before the current procedure
	depth       int // levels of statements and parentheses around the current token
	clauses     int // joined so far to one enforce or constrain clause
}

// Panic values that guard catches: they say how far an error throws the parser.
type (
	abandonStmt struct{} // to the end of the statement
	abandonProc struct{} // to the end of the procedure: its blocks do not match
	abandonAll  struct{} // enough errors
)

// guard runs parse and returns the reason for which it abandoned its work, or nil. The caller
// recovers, or panics with the reason again; it does so after the stack is unwound.
func (p *parser) guard(parse func()) (reason any) {
	depth := p.depth
	// The depth is that of the caller again when the stack is unwound.
	defer func() {
		switch r := recover(); r.(type) {
		case nil:
		case abandonStmt, abandonProc, abandonAll:
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
	pos := p.file.Pos(off)
	if n := len(p.errs); n > 0 && p.errs[n-1].Pos == pos {
		return // a consequence of the first
	}
	p.errs.Add(p.quote.diagnostic(source.Error, pos, fmt.Sprintf(format, args...)))
	// A file with so many errors is not read on.
	if len(p.errs) == maxErrors {
		p.errs.Add(p.quote.diagnostic(source.Note, pos, "too many errors: the rest of the file was not read"))
		panic(abandonAll{})
	}
}

// fail reports an error at the current token, unless the lexer has done so, and
// abandons the statement.
func (p *parser) fail(format string, args ...any) {
	// A tokBad was reported by the lexer.
	if p.tok.kind != tokBad {
		p.errorAt(p.tok.off, format, args...)
	}
	panic(abandonStmt{})
}

// expected reports that something else was expected instead of the current token.
func (p *parser) expected(what string) {
	p.fail("expected %s, found %s", what, p.tok.describe())
}

// advance makes the next token the current one; annotations before it wait to be attached.
func (p *parser) advance() {
	p.tok = p.ahead
	// The lexer's comments stand before the token that was ahead: after this step, before the
	// current one.
	for _, text := range p.lex.annots {
		p.annots.read(text)
	}
	p.ahead = p.lex.next()
}

// pos returns the position of the current token.
func (p *parser) pos() source.Pos { return p.cursor.Pos(p.tok.off) }

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
		p.expected(`"` + text + `"`)
	}
}

// enter adds a level of nesting, and leave takes it back.
func (p *parser) enter() {
	if p.depth++; p.depth > maxNesting {
		p.errorAt(p.tok.off, "nested deeper than %d levels", maxNesting)
		panic(abandonAll{})
	}
}
func (p *parser) leave() { p.depth-- }

// program reads a whole program; each declaration and procedure recovers on its own.
func (p *parser) program() {
	if i := bytes.IndexByte(p.file.Text, 0); i >= 0 {
		p.errorAt(i, "NUL byte: this is not a text file")
		return
	}
	// A byte order mark is skipped.
	if bytes.HasPrefix(p.file.Text, []byte("\uFEFF")) {
		p.lex.off = 3
	}
	p.lex.references = p.lex.hasClass()
	// Two tokens are read at first: the current one and the next.
	p.ahead = p.lex.next()
	p.advance()
	// Each declaration or procedure recovers on its own.
	for p.tok.kind != tokEOF {
		p.procErrs = len(p.errs)
		p.syncProc(p.guard(p.topLevel))
	}
	if len(p.prog.Classes)+len(p.prog.Globals)+len(p.prog.Procs)+len(p.errs) == 0 {
		p.errorAt(0, "empty program: expected declarations and procedures (did the command that should write it fail?)")
	}
}

// topLevel reads one declaration or procedure.
func (p *parser) topLevel() {
	switch {
	case p.accept(";"):
	case p.tok.is("decl"):
		p.prog.Globals = p.decl(p.prog.Globals)
	case p.at("class"):
		p.class()
	case p.at("ref"):
		p.references()
	// A procedure starts with its results, or at once with its name.
	case p.tok.is("dfs"), p.tok.is("void"), p.tok.is("bool"), p.tok.is("("), p.tok.kind == tokName && p.ahead.is("("):
		p.proc()
	// The message names the words that can start something here.
	case p.lex.references:
		p.expected(`"class", "ref", "decl", "void" or "bool"`)
	default:
		p.expected(`"decl", "void" or "bool"`)
	}
}

// syncProc steps to the next procedure if this one was abandoned.
func (p *parser) syncProc(reason any) {
	switch reason.(type) {
	case nil:
		return
	case abandonAll:
		panic(reason)
	}
	// The next procedure begins after "end" or at its first word.
	for start := true; ; start = false {
		switch {
		// At first, such a word may be that of the procedure which was abandoned.
		case p.tok.kind == tokEOF, p.tok.is("class") && p.ahead.kind == tokName, !start && (p.tok.is("void") || p.tok.is("bool") || p.tok.is("dfs")):
			return
		case p.accept("end"):
			return
		}
		p.advance()
	}
}
