package shylock

import "c2bp/source"

// This file defines the frame of the parser, a recursive-descent parser over all tokens of a file:
// tokens, errors, declarations and procedures. Statements are in parse_stmt.go.

const maxNesting = 1000 // levels of statements, parentheses and negations

// Load parses and checks a program.
func Load(f *source.File) (*Program, error) {
	p, err := Parse(f)
	if err != nil {
		return nil, err
	}
	return p, Check(p)
}

// Parse reads a program. It recovers from an error at the next procedure; all errors are a source.List.
// Names are not resolved: see Check.
func Parse(f *source.File) (*Program, error) {
	errs := &errors{file: f}
	prog := &Program{File: f}
	errs.limited(func() {
		p := &parser{errors: errs, toks: lex(f.Text, errs.at)}
		p.program(prog)
	})
	return prog, errs.list.Err()
}

// errors collects the errors of a file.
type errors struct {
	file *source.File
	list source.List
}

// tooMany is the panic value that ends the work after source.MaxErrors errors.
type tooMany struct{}

// at reports an error at an offset, unless there is one at this place.
func (e *errors) at(off int, format string, args ...any) {
	if e.list.AddError(e.file.Errorf(e.file.Pos(off), format, args...)) {
		panic(tooMany{})
	}
}

// limited runs work, which may end with a panic tooMany.
func (e *errors) limited(work func()) {
	defer func() {
		if r := recover(); r != nil && r != (tooMany{}) {
			panic(r) // a defect
		}
	}()
	work()
}

// parser is the state of a parse.
type parser struct {
	*errors
	toks  []token
	i     int // of the current token
	depth int // levels around it
}

// abandon is the panic value that throws the parser to the next procedure.
type abandon struct{}

// tok returns the current token.
func (p *parser) tok() *token { return &p.toks[p.i] }

// end returns the end of the token before the current one.
func (p *parser) end() int {
	if p.i == 0 {
		return 0
	}
	return p.toks[p.i-1].end
}

// expected reports that something else was expected instead of the current token, and gives up. It says
// nothing of a token that the lexer has reported.
func (p *parser) expected(something string) {
	if t := p.tok(); t.kind != tokBad {
		p.at(t.off, "expected %s, found %s", something, t.describe())
	}
	panic(abandon{})
}

// accept steps over the keyword or operator text, and reports whether it is there.
func (p *parser) accept(text string) bool {
	if !p.tok().is(text) {
		return false
	}
	p.i++
	return true
}

// expect steps over the keyword or operator text, which must be there.
func (p *parser) expect(text, context string) {
	if !p.accept(text) {
		p.expected(`"` + text + `"` + context)
	}
}

// name steps over a name.
func (p *parser) name(something string) Ref {
	t := p.tok()
	if t.kind != tokName {
		p.expected(something)
	}
	p.i++
	return Ref{Name: t.text, Off: t.off}
}

// value steps over a variable or nil.
func (p *parser) value() Ref {
	if t := p.tok(); p.accept("nil") {
		return Ref{Name: "nil", Off: t.off}
	}
	return p.name("a variable or nil")
}

// program parses declarations and procedures, in any order.
func (p *parser) program(prog *Program) {
	for p.tok().kind != tokEOF {
		p.declaration(prog)
	}
	if len(prog.Procs) == 0 && len(p.list) == 0 {
		p.at(p.tok().off, `expected a procedure, as in "main :: skip", found the end of the file`)
	}
}

// declaration parses a declaration or a procedure. After an error it steps to the next one.
func (p *parser) declaration(prog *Program) {
	defer func() {
		switch r := recover(); r.(type) {
		case nil:
		case abandon:
			p.recover()
		default:
			panic(r)
		}
	}()
	switch {
	case p.accept("globals"):
		p.names(&prog.Globals, Global)
	case p.accept("locals"):
		p.names(&prog.Locals, Local)
	case p.accept("fields"):
		p.names(&prog.Fields, Field)
	case p.atHead():
		prog.Procs = append(prog.Procs, p.procedure(len(prog.Procs)))
	default:
		p.expected(`a declaration ("globals", "locals" or "fields") or a procedure ("p :: …")`)
	}
}

// recover steps to the beginning of a declaration or procedure.
func (p *parser) recover() {
	p.depth = 0
	for p.tok().kind != tokEOF && !p.atDeclaration() && !p.atHead() {
		p.i++
	}
}

// atDeclaration reports whether the current token begins a declaration.
func (p *parser) atDeclaration() bool {
	t := p.tok()
	return t.is("globals") || t.is("locals") || t.is("fields")
}

// names parses the names of a declaration, perhaps none, and its semicolon.
func (p *parser) names(list *[]*Var, kind VarKind) {
	for !p.tok().is(";") {
		t := p.tok()
		if t.is("nil") {
			p.at(t.off, "nil is predeclared: it is the global that is never assigned")
			panic(abandon{})
		}
		n := p.name("a name")
		*list = append(*list, &Var{Kind: kind, Name: n.Name, Index: len(*list), Off: n.Off})
		if !p.accept(",") {
			break
		}
	}
	p.expect(";", " after the declared names")
}

// atHead reports whether the current token begins a procedure: "p ::" or "p(x, y) ::".
func (p *parser) atHead() bool {
	if p.tok().kind != tokName {
		return false
	}
	i := p.i + 1
	if p.toks[i].is("(") {
		for i++; p.toks[i].kind == tokName || p.toks[i].is(","); i++ {
		}
		if !p.toks[i].is(")") {
			return false
		}
		i++
	}
	return p.toks[i].is("::")
}

// procedure parses a procedure.
func (p *parser) procedure(index int) *Proc {
	n := p.name("a procedure")
	proc := &Proc{Name: n.Name, Off: n.Off, Index: index}
	if p.tok().is("(") {
		proc.Params = p.arguments(func() Ref { return p.name("a parameter") })
	}
	p.expect("::", "")
	proc.Body = p.statement()
	proc.End = p.end()
	// Something else than the next procedure shows that the body has not been understood to its end.
	if p.tok().kind != tokEOF && !p.atDeclaration() && !p.atHead() {
		p.expected(`";", "+" or the next procedure`)
	}
	return proc
}

// arguments parses names in parentheses, separated by commas, each by one.
func (p *parser) arguments(one func() Ref) (list []Ref) {
	p.expect("(", "")
	for !p.tok().is(")") {
		list = append(list, one())
		if !p.accept(",") {
			break
		}
	}
	p.expect(")", "")
	return list
}
