package syntax

import (
	"slices"
	"strings"

	"c2bp/source"
)

// This file parses declarations, the items of rules, and events.

// maxDepth bounds the nesting of expressions and statements.
const maxDepth = 200

// Parse reads a file. The error is a [*source.Diagnostic], the first one.
func Parse(file *source.File) (f *File, err error) {
	toks, d := tokens(file)
	if d != nil {
		return nil, d
	}
	p := &parser{file: file, toks: toks}
	// Errors in the text are thrown, and caught here.
	defer func() {
		switch e := recover().(type) {
		case nil:
		case *source.Diagnostic:
			f, err = nil, e
		default:
			panic(e)
		}
	}()
	f = &File{Source: file}
	for p.tok().kind != end {
		f.Decls = append(f.Decls, p.decl())
	}
	return f, nil
}

// parser reads the tokens of one file.
type parser struct {
	file  *source.File
	toks  []token
	at    int // index of the next token
	depth int // of nesting
}

// tok returns the next token.
func (p *parser) tok() token { return p.toks[p.at] }

// peek returns the token n after the next one.
func (p *parser) peek(n int) token { return p.toks[min(p.at+n, len(p.toks)-1)] }

// fail throws the error that the token t was not expected there.
func (p *parser) fail(t token, expected string) {
	panic(p.file.Errorf(t.pos, "%s; expected %s", t, expected))
}

// errorf throws an error at pos.
func (p *parser) errorf(pos source.Pos, format string, args ...any) {
	panic(p.file.Errorf(pos, format, args...))
}

// accept takes the next token if it is s, and reports whether it was.
func (p *parser) accept(s string) bool {
	if !p.tok().is(s) {
		return false
	}
	p.at++
	return true
}

// expect takes the token s. after says where it is expected, for the message; it may be empty.
func (p *parser) expect(s, after string) token {
	t := p.tok()
	if !t.is(s) {
		p.fail(t, strings.TrimSpace(`"`+s+`" `+after))
	}
	p.at++
	return t
}

// name takes a name; expected describes it in messages.
func (p *parser) name(expected string) Name {
	t := p.tok()
	if t.kind != ident || isReserved(t.text) {
		p.fail(t, expected)
	}
	p.at++
	return Name{t.text, t.pos}
}

// names takes names with commas between them.
func (p *parser) names(expected string) (list []Name) {
	for {
		list = append(list, p.name(expected))
		if !p.accept(",") {
			return list
		}
	}
}

// parenthesised takes names in parentheses, perhaps none.
func (p *parser) parenthesised(expected string) []Name {
	list := []Name{}
	p.expect("(", "")
	if p.accept(")") {
		return list
	}
	list = p.names(expected)
	p.expect(")", `or ","`)
	return list
}

// deeper counts a level of nesting; the function that it returns ends it.
func (p *parser) deeper() (end func()) {
	if p.depth++; p.depth > maxDepth {
		p.errorf(p.tok().pos, "nested too deeply; expected at most %d levels", maxDepth)
	}
	return func() { p.depth-- }
}

// decl takes a declaration of a file.
func (p *parser) decl() Decl {
	t := p.tok()
	switch {
	case t.is("include"):
		p.at++
		path := p.tok()
		if path.kind != text {
			p.fail(path, `the name of a file in quotes, such as "locks.slic"`)
		}
		p.at++
		return &Include{t.pos, p.unquote(path)}
	case t.is("event"):
		return p.event()
	case t.is("use"):
		return p.use()
	case t.is("rule"):
		return p.rule()
	}
	p.fail(t, "rule, use, event or include")
	return nil
}

// unquote returns the contents of a string. Escapes are those of quotes and backslashes: the strings of
// rules are file names and sentences.
func (p *parser) unquote(t token) string {
	var b strings.Builder
	in := t.text[1 : len(t.text)-1]
	for i := 0; i < len(in); i++ {
		if in[i] == '\\' {
			i++
			if in[i] != '"' && in[i] != '\\' {
				p.errorf(t.pos, `the escape "\%c" in a string; expected \" or \\`, in[i])
			}
		}
		b.WriteByte(in[i])
	}
	return b.String()
}

// event takes a table of aliases.
func (p *parser) event() *Event {
	p.at++
	e := &Event{Name: p.name("the name of an event")}
	e.Params = p.parenthesised("the name of a parameter")
	p.expect("=", "and the functions that mean the event")
	for {
		a := &Alias{Func: p.name("the name of a function, or entrypoint and a type")}
		optional := a.Func.Text == "optional" && p.tok().is("entrypoint")
		if optional {
			a.Func = p.name("entrypoint")
		}
		if next := p.tok(); a.Func.Text == "entrypoint" && next.kind == ident {
			a.Entry = p.signature()
			a.Entry.Optional = optional
		} else if a.Given = p.accept("("); a.Given {
			a.Args = p.arguments()
		}
		e.Aliases = append(e.Aliases, a)
		if !p.accept(",") {
			return e
		}
	}
}

// signature takes a type of functions.
func (p *parser) signature() *Signature {
	s := &Signature{Result: p.typeName()}
	p.expect("(", "and the types of parameters")
	if p.tok().is("void") && p.peek(1).is(")") {
		p.at += 2
		return s
	}
	for {
		s.Params = append(s.Params, p.typeName())
		if !p.accept(",") {
			p.expect(")", `or ","`)
			return s
		}
	}
}

// use takes a use of a parametrised rule.
func (p *parser) use() *Use {
	p.at++
	u := &Use{Template: p.name("the name of a parametrised rule")}
	u.Args = p.parenthesised("the name of a function")
	p.expect("as", "and a name for the rule")
	u.As = p.name("a name for the rule")
	if p.tok().kind == text {
		u.Title = p.unquote(p.tok())
		p.at++
	}
	return u
}

// items are the words that items of rules begin with.
var items = []string{"severity", "applies", "object", "state", "on", "at", "birth", "death", "event"}

// rule takes a rule with its items. It ends where a word begins that is no item.
func (p *parser) rule() *Rule {
	p.at++
	r := &Rule{Name: p.name("the name of a rule")}
	if p.tok().is("(") {
		r.Formals = p.parenthesised("a name that stands for a function")
	}
	title := p.tok()
	if title.kind != text {
		p.fail(title, "the title of the rule in quotes")
	}
	p.at++
	r.Title = p.unquote(title)
	for {
		t := p.tok()
		if t.kind == end || t.is("rule") || t.is("use") || t.is("include") {
			return r
		}
		if t.kind != ident || !slices.Contains(items, t.text) {
			p.fail(t, "an item of the rule (severity, applies, object, state, birth, death, on, at, event) or the next rule")
		}
		r.Items = append(r.Items, p.item())
	}
}

// item takes an item; the next token is one of items.
func (p *parser) item() Item {
	t := p.tok()
	if t.text == "event" {
		return p.event()
	}
	p.at++
	switch t.text {
	case "severity":
		return &Severity{p.name("error, warning or note")}
	case "applies":
		p.expect("if", "and the functions that the rule is about")
		return &Applies{p.names("the name of a function")}
	case "object":
		return p.object()
	case "state":
		return p.state(t.pos)
	case "on":
		on := &On{Pos: t.pos}
		for {
			on.Events = append(on.Events, p.point())
			if !p.accept(",") {
				break
			}
		}
		on.Body = p.body()
		return on
	case "at":
		return p.moments(t.pos)
	}
	// birth and death.
	p.expect("on", "and an event")
	l := &Life{Pos: t.pos, Death: t.text == "death", Event: p.point()}
	if p.accept("if") {
		p.expect("(", "and a condition")
		l.If = p.expr()
		p.expect(")", "")
	}
	return l
}

// object takes the rest of the declaration of the object.
func (p *parser) object() *Object {
	o := &Object{Name: p.name("a name for the object")}
	p.expect(":", "and the type of the parameter that points to it")
	o.Type = p.typeName()
	if o.Type.Stars == 0 {
		p.fail(p.tok(), `"*": the type of a pointer to the object`)
	}
	o.Nullable = p.accept("nullable")
	o.Outside = p.accept("outside")
	return o
}

// moments takes the rest of an item that begins with at.
func (p *parser) moments(pos source.Pos) *At {
	a := &At{Pos: pos}
	for {
		t := p.tok()
		w := When{Pos: t.pos}
		switch {
		case p.accept("end"):
		case p.accept("death"):
			w.Point = AtDeath
		case p.accept("entrypoint"):
			w.Point = AtEntrypoint
			p.expect(".", "and exit")
			p.expect("exit", "")
		default:
			p.fail(t, "end, entrypoint.exit or death")
		}
		a.Points = append(a.Points, w)
		if !p.accept(",") {
			a.Body = p.body()
			return a
		}
	}
}

// point takes an event.
func (p *parser) point() *Point {
	t := p.tok()
	e := &Point{Pos: t.pos}
	// 1. A label.
	if t.is("label") && p.peek(1).kind == ident {
		p.at++
		e.Label, e.Func = true, p.name("a label of the program")
		return e
	}
	// 2. The name of the result.
	if p.peek(1).is("=") {
		e.Result = p.name("a name for the result")
		p.at++
	}
	// 3. The function with its parameters, and which end of it.
	e.Func = p.name("the name of a function, or label and a label")
	e.Params = p.parenthesised("the name of a parameter")
	p.expect(".", "and entry or exit")
	switch t := p.tok(); {
	case p.accept("entry"):
		if e.Result.Text != "" {
			p.errorf(e.Result.Pos, "a name for the result at an entry, where there is none; expected .exit")
		}
	case p.accept("exit"):
		e.Exit = true
	default:
		p.fail(t, "entry or exit")
	}
	return e
}
