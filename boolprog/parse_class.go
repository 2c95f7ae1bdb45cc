package boolprog

import (
	"strings"

	"c2bp/source"
)

// This file parses the parts of reference Boolean programs: classes, reference types, new objects
// and their fields.

// at reports whether the current token is one of the words of reference Boolean programs. Other
// programs may use it as a name: there, a name must follow.
func (p *parser) at(word string) bool {
	return p.tok.text == word && (p.tok.kind == tokKeyword || p.tok.kind == tokName && p.ahead.kind == tokName)
}

// class reads "class" C "{" fields "}".
func (p *parser) class() {
	p.advance()
	c := &Class{Pos: p.pos()}
	c.Name = p.className()
	p.expect("{")
	// A wrong field does not spoil the others.
	for !p.accept("}") {
		p.syncField(p.guard(func() { p.fields(c) }))
	}
	// Fields have no predicates: a //@ pred among them must not reach the next variable.
	p.annots.pred = ""
	p.prog.Classes = append(p.prog.Classes, c)
}

// className reads the name of a class, which is an identifier.
func (p *parser) className() string {
	if p.tok.kind != tokName || strings.HasPrefix(p.tok.text, "{") {
		p.expected("the name of a class")
	}
	name := p.tok.text
	p.advance()
	return name
}

// fields reads fields of one type and the semicolon after them: bool x := 1, y; or ref C next;
func (p *parser) fields(c *Class) {
	class := ""
	// The type of all fields in this line.
	switch {
	case p.at("ref"):
		class = p.refType()
	case !p.accept("bool"):
		p.expected(`"bool", "ref" or "}"`)
	}
	for {
		f := &Field{Class: class}
		f.Name, f.Pos = p.field()
		if p.accept(":=") {
			f.Init = p.initial(class)
		}
		c.Fields = append(c.Fields, f)
		if !p.accept(",") {
			break
		}
	}
	if !p.accept(";") {
		p.expected(`":=", "," or ";"`)
	}
}

// initial reads the value of a field in a new object; a reference can only be null, which is the
// default.
func (p *parser) initial(class string) Expr {
	if class != "" {
		p.expect("null")
		return nil
	}
	switch p.tok.text {
	// As an expression one of these is a Const or a Nondet.
	case "0", "1", "F", "T", "false", "true", "*", "?":
		return p.primary().e
	}
	p.expected(`"0", "1" or "*"`)
	return nil
}

// syncField steps to the next field of a class if this one was abandoned.
func (p *parser) syncField(reason any) {
	switch reason.(type) {
	case nil:
		return
	case abandonProc, abandonAll:
		panic(reason)
	}
	for !p.tok.is("}") && !p.accept(";") {
		// A word that starts something else shows that the class is not closed.
		switch {
		case p.tok.kind == tokEOF, p.tok.is("begin"), p.tok.is("end"), p.tok.is("class"), p.tok.is("decl"), p.tok.is("void"):
			panic(abandonProc{}) // the class is not closed
		}
		p.advance()
	}
}

// refType reads "ref" C.
func (p *parser) refType() string {
	p.advance()
	pos := p.pos()
	class := p.className()
	p.prog.types = append(p.prog.types, mention{class, pos})
	return class
}

// results reads the result types of a procedure: "void", "bool" [ "<" n ">" ], "ref" C, a
// parenthesised list with a type for each result, or nothing.
func (p *parser) results(proc *Proc) {
	switch {
	case p.accept("void"):
	case p.accept("bool"):
		proc.Results = p.resultCount()
	case p.at("ref"):
		proc.Results, proc.Returns = 1, []string{p.refType()}
	case p.accept("("):
		// A list of Booleans only is stored like bool<n>.
		proc.Returns = p.resultList()
		proc.Results = len(proc.Returns)
		if areBooleans(proc.Returns) {
			proc.Returns = nil
		}
	}
}

// resultList reads the types of results up to and including the closing parenthesis.
func (p *parser) resultList() (classes []string) {
	for {
		// One type, and a comma or the end.
		switch {
		case len(classes) == maxResults:
			p.fail("more than %d results", maxResults)
		case p.accept("bool"):
			classes = append(classes, "")
		case p.tok.text == "ref":
			classes = append(classes, p.refType())
		default:
			p.expected(`"bool" or "ref"`)
		}
		switch {
		case p.accept(")"):
			return classes
		case !p.accept(","):
			p.expected(`"," or ")"`)
		}
	}
}

// references reads a declaration outside procedures that starts with "ref": variables or a
// procedure.
func (p *parser) references() {
	// A parenthesis after the name makes it a procedure.
	class := p.refType()
	// Here "ref" C was the type of the result.
	if p.tok.kind == tokName && p.ahead.is("(") {
		proc := p.mem.procs.new()
		proc.Results, proc.Returns = 1, []string{class}
		p.procedure(proc)
		return
	}
	p.prog.Globals = p.variables(p.prog.Globals, class)
}

// targets reads the left side of an assignment or call: variables and their fields.
func (p *parser) targets() []*Ref {
	var room [8]*Ref // for most lists
	refs := room[:0]
	for {
		r := p.name("a variable")
		if p.accept(".") {
			r.Field, _ = p.field()
			// Only one field: the language has no targets x.f.g.
			if p.tok.is(".") {
				p.fail(`a field of "%s.%s" cannot be assigned: expected a variable in front of the field, to which "%s.%s" was assigned before`,
					r.Name, r.Field, r.Name, r.Field)
			}
		}
		refs = append(refs, r)
		if !p.accept(",") {
			return p.mem.refLists.copyOf(refs)
		}
	}
}

// selection reads the fields after a variable: x.f.g
func (p *parser) selection(x operand) operand {
	for p.accept(".") {
		s := &Select{X: x.e}
		s.Field, s.Pos = p.field()
		x.e, x.depth = s, p.deeper(x.depth, 1)
	}
	return x
}

// newObject reads "new" C.
func (p *parser) newObject() *New {
	e := &New{Pos: p.pos()}
	e.Class = p.refType()
	return e
}

// anyObject reads "any" C [ "new" ]. The word is a name elsewhere.
func (p *parser) anyObject() *Any {
	e := &Any{Pos: p.pos()}
	e.Class = p.refType()
	// After a class there is no other word.
	if p.tok.text == "new" {
		e.New = true
		p.advance()
	}
	return e
}

// dead reads the variables of a "dead", and the fields C.f of classes.
func (p *parser) dead() *Dead {
	op := &Dead{}
	for {
		r := p.name("a variable")
		if p.accept(".") {
			r.Field, _ = p.field()
			op.Fields = append(op.Fields, r)
		} else {
			op.Vars = append(op.Vars, r)
		}
		if !p.accept(",") {
			return op
		}
	}
}

// field reads the name of a field.
func (p *parser) field() (name string, pos source.Pos) {
	if p.tok.kind != tokName {
		p.expected("the name of a field")
	}
	name, pos = p.tok.text, p.pos()
	p.advance()
	return name, pos
}
