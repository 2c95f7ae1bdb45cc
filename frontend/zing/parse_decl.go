package zing

import "slices"

// This file parses declarations of types and their members.

// declarations are the words that a declaration starts with.
var declarations = []string{"class", "struct", "interface", "enum", "range", "array", "set", "chan"}

// file reads a whole file; each declaration recovers on its own.
func (p *parser) file(prog *Program) {
	p.advance()
	for p.tok.kind != tokEOF {
		p.recoverDecl(p.guard(func() {
			if p.attributes(); p.accept(";") || p.tok.kind == tokEOF {
				return
			}
			prog.Decls = append(prog.Decls, p.decl())
		}))
	}
}

// recoverDecl continues after an error at the next word that starts a declaration, outside braces.
func (p *parser) recoverDecl(reason any) {
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
			depth = max(0, depth-1)
		case depth == 0 && p.atDecl():
			return
		}
	}
}

func (p *parser) atDecl() bool {
	return p.tok.kind == tokKeyword && slices.Contains(declarations, p.tok.text)
}

// decl reads a declaration with its semicolon.
func (p *parser) decl() Decl {
	start, word := p.tok.off, p.tok.text
	if !p.atDecl() {
		p.expected("a declaration, which starts with class, struct, interface, enum, range, array, set or chan")
	}
	p.advance()
	base := DeclBase{Name: p.ident("the name of the " + word)}
	var d Decl
	switch word {
	case "class":
		d = p.class(&base)
	case "struct":
		d = &StructDecl{DeclBase: base, Members: p.members(true)}
	case "interface":
		d = &InterfaceDecl{DeclBase: base, Members: p.members(false)}
	case "enum":
		d = &EnumDecl{DeclBase: base, Members: p.enumMembers()}
	case "range":
		d = p.rangeDecl(base)
	case "array":
		d = p.array(base)
	case "set":
		d = &SetDecl{DeclBase: base, Elem: p.typeRef()}
	case "chan":
		d = &ChanDecl{DeclBase: base, Elem: p.typeRef()}
	}
	p.endDecl(d, word)
	d.base().Span = p.span(start)
	return d
}

// endDecl steps over the semicolon after a declaration. If it is missing and another declaration
// follows, that one is read as usual.
func (p *parser) endDecl(d Decl, word string) {
	if !p.tok.is(";") && (p.atDecl() || p.tok.kind == tokEOF || p.tok.is("[")) {
		p.errorAt(p.prevEnd, `expected ";" after the declaration of the %s %q, found %s: every declaration ends with one, also after "}"`,
			word, d.Ident().Name, p.tok.describe())
		return
	}
	p.end("the declaration of the " + word)
}

// class reads a class after its name.
func (p *parser) class(base *DeclBase) *ClassDecl {
	d := &ClassDecl{DeclBase: *base}
	if p.accept(":") {
		for {
			d.Implements = append(d.Implements, p.typeRef())
			if !p.accept(",") {
				break
			}
		}
	}
	d.Members = p.members(true)
	return d
}

// rangeDecl reads a range after its name.
func (p *parser) rangeDecl(base DeclBase) *RangeDecl {
	d := &RangeDecl{DeclBase: base, Lo: p.operation()}
	p.expect("..")
	d.Hi = p.operation()
	return d
}

// array reads an array after its name.
func (p *parser) array(base DeclBase) *ArrayDecl {
	d := &ArrayDecl{DeclBase: base}
	p.expect("[")
	switch {
	case p.tok.kind == tokInt:
		d.Size = p.intLit()
	case p.atType():
		d.Index = p.typeRef()
	case !p.tok.is("]"):
		p.expected(`an integer literal, a type or "]"`)
	}
	p.expect("]")
	d.Elem = p.typeRef()
	return d
}

// enumMembers reads the members of an enum in their braces; a comma may follow the last one.
func (p *parser) enumMembers() (list []*EnumMember) {
	p.expect("{")
	for !p.tok.is("}") {
		list = append(list, &EnumMember{Ident: p.ident("the name of a member")})
		if p.tok.is("=") {
			p.fail(`members of an enum have no values of their own; expected "," or "}"`)
		}
		if !p.accept(",") {
			break
		}
	}
	p.expect("}")
	return list
}

// members reads the members of a class, struct or interface in their braces; in an interface methods
// have no bodies.
func (p *parser) members(bodies bool) (list []Member) {
	p.expect("{")
	for !p.tok.is("}") && p.tok.kind != tokEOF {
		p.recoverAt(p.guard(func() {
			if p.attributes(); !p.accept(";") {
				list = append(list, p.member(bodies))
			}
		}))
	}
	p.expect("}")
	return list
}

// member reads a field or a method.
func (p *parser) member(bodies bool) Member {
	start := p.tok.off
	mods := p.modifiers()
	of := p.typeRef()
	name := p.ident("the name of a field or method")
	if p.tok.is("(") {
		m := &Method{Name: name, Static: mods["static"], Atomic: mods["atomic"], Activate: mods["activate"], Of: of}
		p.method(m, bodies)
		m.Span = p.span(start)
		return m
	}
	for _, word := range []string{"atomic", "activate"} {
		if mods[word] {
			p.errorAt(start, "a field cannot be %s", word)
		}
	}
	f := &Field{Name: name, Static: mods["static"], Of: of}
	if p.accept("=") {
		f.Init = p.expr()
	}
	p.end("the field")
	f.Span = p.span(start)
	return f
}

// modifiers reads static, atomic and activate, in any order and at most once each.
func (p *parser) modifiers() map[string]bool {
	mods := map[string]bool{}
	for p.tok.is("static") || p.tok.is("atomic") || p.tok.is("activate") {
		if mods[p.tok.text] {
			p.errorAt(p.tok.off, "%q is repeated", p.tok.text)
		}
		mods[p.tok.text] = true
		p.advance()
	}
	return mods
}

// method reads the parameters and the body of a method, or the semicolon in its place.
func (p *parser) method(m *Method, body bool) {
	p.list(func() { m.Params = append(m.Params, p.param()) })
	if body {
		m.Body = p.block()
	} else {
		p.end("the method of an interface")
	}
}

// param reads a parameter.
func (p *parser) param() *Param {
	start := p.tok.off
	out := p.accept("out")
	a := &Param{Out: out, Of: p.typeRef()}
	a.Name = p.ident("the name of a parameter")
	a.Span = p.span(start)
	return a
}
