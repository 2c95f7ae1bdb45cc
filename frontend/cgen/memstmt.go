package cgen

import (
	"fmt"
	"strings"
)

// This file generates statements about memory.

// everything returns the effects of a full expression that may do anything.
func (g *generator) everything() effects { return effects{call: true, write: g.allVars()} }

// allVars lists the variables in scope that may be written, pools among them.
func (g *generator) allVars() (list []variable) {
	for _, v := range g.vars {
		if !v.fixed {
			list = append(list, v)
		}
	}
	return list
}

// memoryStatement generates a statement about memory, or reports false.
func (g *generator) memoryStatement(depth int) bool {
	if g.mem == nil || g.pure || !g.p(45) {
		return false
	}
	list := []func(int) bool{
		g.declareObject, g.declareObject, g.declarePointer, g.declarePointer, g.assignPointer, g.assignPointer,
		g.assignMember, g.assignMember, g.assignRecord, g.assignRecord, g.copyBytes, g.setBytes, g.writeByte,
		g.pointerToPointer, g.observePlaces, g.observePlaces, g.alongString,
	}
	// These have blocks.
	if depth > 0 {
		list = append(list, g.alongArray, g.alongArray, g.useList, g.allocate, g.variableLength, g.buffer, g.literal, g.flexible)
	}
	// A function that may recur does so often.
	if g.self != nil && g.self.fuel {
		list = append(list, g.recurse, g.recurse, g.recurse)
	}
	return pick(g, list)(depth)
}

// recurse is recursion as a statement about memory.
func (g *generator) recurse(int) bool {
	g.recursion()
	return true
}

// localType returns a type for a local object.
func (g *generator) localType() *mtype {
	m := g.mem
	switch g.n(6) {
	case 0:
		return g.wide()
	case 1:
		return g.arrayOf(g.wide())
	case 2:
		return pick(g, m.unions)
	case 3:
		return &mtype{kind: array, elem: pick(g, m.structs), n: 2}
	}
	return pick(g, m.structs)
}

// declareObject declares a local object, initialised in one of these ways: static with constants,
// by memset, by a structure, or by a list. A static one lives as long as the program, and keeps its
// value between calls.
func (g *generator) declareObject(int) bool {
	o := object{g.fresh("o"), g.localType(), g.n(pools), g.mem.scope}
	quiet := func(t *mtype) string { return g.partValue(t, effects{}) }
	switch {
	case g.p(10):
		// It lives as long as the program.
		o.scope = 0
		g.line("static %s = %s;", o.typ.declare(o.name), g.initialiser(o.typ, g.constantValue))
	case g.p(15) && !o.typ.hasPointers():
		g.line("%s; memset(&%s, %d, sizeof %s);", o.typ.declare(o.name), o.name, g.fill(o.typ), o.name)
	case o.typ.kind == record && g.p(25):
		g.line("%s = %s;", o.typ.declare(o.name), g.recordValue(o.typ, g.everything()))
	default:
		g.line("%s = %s;", o.typ.declare(o.name), g.initialiser(o.typ, quiet))
	}
	g.mem.objects = append(g.mem.objects, o)
	return true
}

// fill returns a byte that all of t may consist of.
func (g *generator) fill(t *mtype) int {
	if t.hasBools() {
		return 0
	}
	return g.n(256)
}

// declarePointer declares a variable that holds a pointer: one that objects may hold, too, or one
// to any place in scope, such as a row, a member or another pointer.
func (g *generator) declarePointer(int) bool {
	v := pointerVar{name: g.fresh("q"), scope: g.mem.scope}
	if g.p(50) {
		v.typ = g.anyKind()
		g.line("%s = %s;", v.typ.declare(v.name), g.address(v.typ, effects{}, v.scope))
	} else {
		p, ok := g.find(search{want: func(t *mtype) bool { return t.kind != bitField }, scope: v.scope}, effects{})
		if !ok {
			return false
		}
		v.typ = &mtype{kind: pointer, elem: p.typ, pool: p.pool}
		// An anonymous structure has no type to point to.
		if p.typ.kind == record && p.typ.rec.name == "" {
			return false
		}
		g.line("%s = %s;", v.typ.declare(v.name), p.address())
	}
	g.mem.pointers = append(g.mem.pointers, v)
	return true
}

// assignPointer lets a variable point to something else of the same type.
func (g *generator) assignPointer(int) bool {
	var list []pointerVar
	for _, v := range g.mem.pointers {
		if !v.fixed && v.typ.elem.kind != pointer && v.typ.elem.kind != funcPointer {
			list = append(list, v)
		}
	}
	if len(list) == 0 {
		return false
	}
	v := pick(g, list)
	g.line("%s = %s;", v.name, g.address(v.typ, effects{}, v.scope))
	return true
}

// isPointerType reports whether t is a pointer to an object or function.
func isPointerType(t *mtype) bool { return t.kind == pointer || t.kind == funcPointer }

// assignMember stores a pointer in an object.
func (g *generator) assignMember(int) bool {
	p, ok := g.find(search{want: isPointerType, write: true, scope: g.mem.scope}, g.everything())
	if !ok {
		return false
	}
	g.line("%s = %s;", p.lvalue(), g.partValue(p.typ, effects{}))
	return true
}

// assignable reports whether t is a structure whose padding is not looked at: C does not specify the
// bytes that an assignment stores there.
func assignable(t *mtype) bool { return t.kind == record && t.rec.name != "" && !t.rec.inner }

// assignRecord copies a structure.
func (g *generator) assignRecord(int) bool {
	p, ok := g.find(search{want: assignable, write: true, scope: g.mem.scope}, g.everything())
	if !ok {
		return false
	}
	e := effects{}
	if p.simple {
		e.call = true
	}
	g.line("%s = %s;", p.lvalue(), g.recordValue(p.typ, e))
	return true
}

// copyBytes is memcpy between objects of different pools, or memmove.
func (g *generator) copyBytes(int) bool {
	want := func(t *mtype) bool { return t.kind != bitField && !(t.kind == record && t.rec.name == "") }
	p, ok := g.find(search{want: want, write: true, scope: g.mem.scope}, g.everything())
	if !ok {
		return false
	}
	// The source has the same type.
	q, ok := g.find(search{want: p.typ.same, scope: g.mem.scope}, effects{})
	if !ok {
		return false
	}
	// Objects of one pool may overlap, or be the same.
	f := "memmove"
	if p.pool != q.pool {
		f = "memcpy"
	}
	g.line("%s(%s, %s, sizeof(%s));", f, p.address(), q.address(), p.typ)
	return true
}

// setBytes is memset of an object without pointers: they must stay valid.
func (g *generator) setBytes(int) bool {
	want := func(t *mtype) bool { return t.kind != bitField && !t.hasPointers() }
	p, ok := g.find(search{want: want, write: true, scope: g.mem.scope}, g.everything())
	if !ok || p.typ.kind == record && p.typ.rec.name == "" {
		return false
	}
	g.line("memset(%s, %d, sizeof(%s));", p.address(), g.fill(p.typ), p.typ)
	return true
}

// writeByte writes a byte of an object; the next read of the object as a whole must see it:
//
//	((unsigned char *)&x)[i % sizeof(x)] ^= e;
func (g *generator) writeByte(int) bool {
	p, ok := g.find(search{want: (*mtype).bytewise, write: true, scope: g.mem.scope}, g.everything())
	if !ok {
		return false
	}
	x := g.expr(1, effects{})
	g.line("((unsigned char *)%s)[(unsigned char)%s %% sizeof(%s)] %s %s;", paren(p.address()), paren(x), p.typ,
		pick(g, []string{"=", "^=", "|=", "+="}), g.expr(2, effects{}))
	return true
}

// pointerToPointer changes a pointer and its pointee through a pointer to the pointer.
func (g *generator) pointerToPointer(int) bool {
	var list []pointerVar
	for _, v := range g.mem.pointers {
		if !v.fixed && v.typ.elem.kind == integer {
			list = append(list, v)
		}
	}
	if len(list) == 0 {
		return false
	}
	v := pick(g, list)
	pp := g.fresh("z")
	g.line("{ %s = &%s; *%s = %s; %s; %sobserve(%s == *%s); }", v.typ.elem.declare("**"+pp), v.name, pp, g.address(v.typ, effects{}, v.scope),
		g.assignTo("(**"+pp+")", v.typ.elem.int, 2, effects{}), g.prefix, v.name, pp)
	return true
}

// observePlaces observes a place, and sometimes the layout of a struct by offsetof and sizeof.
func (g *generator) observePlaces(int) bool {
	p, ok := g.intPlace(effects{}, false)
	if !ok {
		return false
	}
	if s := g.mem.structs[0]; g.p(10) {
		for _, m := range s.rec.members {
			if m.name != "" && m.typ.kind != bitField {
				g.line("%sobserve(__builtin_offsetof(%s, %s) + sizeof(%s));", g.prefix, s, m.name, s)
				break
			}
		}
	}
	g.line("%sobserve(%s);", g.prefix, p.lvalue())
	return true
}

// alongString walks over a string: a literal by a pointer to its 0, or an array that a literal
// initialises, after a character has been changed.
func (g *generator) alongString(int) bool {
	s := g.fresh("z")
	if g.p(50) {
		g.line("{ const char *%s = %q; while (*%s) %sobserve(*%s++); }", s, g.text(), s, g.prefix, s)
	} else {
		g.line("{ char %s[] = %q; %s[%d] = %s; for (unsigned i = 0; i < sizeof %s; i++) %sobserve(%s[i]); }",
			s, g.text(), s, g.n(4), g.expr(2, effects{}), s, g.prefix, s)
	}
	return true
}

// alongArray walks over an array with a pointer, forwards, backwards, or by two elements at a time.
// The statements inside may read and write the elements through it.
func (g *generator) alongArray(depth int) bool {
	p, ok := g.find(search{want: func(t *mtype) bool { return t.kind == array && !isPointerType(t.elem) && t.elem.kind != array }, scope: g.mem.scope}, effects{})
	if !ok {
		return false
	}
	// start points to the first element, q walks.
	start, q := g.fresh("z"), g.fresh("q")
	elem := p.typ.elem
	g.line("{ %s = %s, *%s;", elem.declare("*"+start), p.lvalue(), q)
	// Forwards, backwards, or every second element.
	switch g.n(3) {
	case 0:
		g.line("for (%s = %s; %s < %s + %d; %s++)", q, start, q, start, p.typ.n, q)
	case 1:
		g.line("for (%s = %s + %d; %s > %s && (%s--, 1); )", q, start, p.typ.n, q, start, q)
	default:
		g.line("for (%s = &%s[%d]; %s - %s < %d; %s += 2)", q, start, g.n(2), q, start, p.typ.n-1, q)
	}
	leave := g.enterScope()
	g.mem.pointers = append(g.mem.pointers, pointerVar{q, &mtype{kind: pointer, elem: elem, pool: p.pool}, g.mem.scope, true})
	g.loops++
	g.breaks++
	g.block(1+g.n(2), depth-1)
	g.loops--
	g.breaks--
	leave()
	g.line("}")
	return true
}

// listFunctions defines a struct for lists, and functions on them.
func (g *generator) listFunctions() {
	g.mem.node = g.fresh("S")
	t := g.wide().int.name
	r := strings.NewReplacer("NODE", "struct "+g.mem.node, "P_", g.prefix, "INT", t)
	for _, line := range strings.Split(strings.TrimSpace(r.Replace(listText)), "\n") {
		g.line("%s", line)
	}
}

// listText has lists with a pointer to the previous node: append and remove work through a pointer
// to the pointer to a node.
const listText = `
NODE { NODE *next; INT value; NODE *prev; };
static NODE *P_push(NODE *l, INT v) { NODE *n = malloc(sizeof *n); *n = (NODE){ .value = v, .next = l }; if (l) l->prev = n; return n; }
static void P_append(NODE **l, INT v) { while (*l) l = &(*l)->next; *l = malloc(sizeof **l); (*l)->value = v; (*l)->next = (*l)->prev = 0; }
static NODE *P_reverse(NODE *l) { NODE *r = 0; while (l) { NODE *n = l->next; l->next = r; l->prev = n; r = l; l = n; } return r; }
static void P_remove(NODE **l, int m) { while (*l) { NODE *n = *l; if ((n->value & m) == 0) { *l = n->next; free(n); } else l = &n->next; } }
`

// useList makes a list, works on it and frees it.
func (g *generator) useList(int) bool {
	l, i := g.fresh("z"), g.fresh("i")
	p := g.prefix
	g.line("{ struct %s *%s = 0; for (int %s = 0; %s < %d; %s++) %s = %spush(%s, %s + %s);", g.mem.node, l, i, i, 1+g.n(4), i, l, p, l, i, small(paren(g.expr(2, effects{}))))
	if g.p(50) {
		g.line("%sappend(&%s, %s);", p, l, g.expr(2, effects{}))
	}
	if g.p(60) {
		g.line("%s = %sreverse(%s);", l, p, l)
	}
	if g.p(50) {
		g.line("%sremove(&%s, %d);", p, l, 1+g.n(3))
	}
	g.line("for (struct %s *n = %s; n; n = n->next) { n->value ^= %s; %sobserve(n->value); if (n->next) n->next->prev = n; }", g.mem.node, l, g.expr(1, effects{}), p)
	g.line("while (%s) { struct %s *n = %s; %s = n->next; %sobserve(%s ? %s->prev == n : 7); free(n); } }", l, g.mem.node, l, l, p, l, l)
	return true
}

// allocate makes an object for the time of a block, initialised by memset, an assignment or a loop:
//
//	{ int (*q)[4] = malloc(sizeof(int [4])); …; free(q); }
func (g *generator) allocate(depth int) bool {
	q := g.fresh("q")
	t := g.localType()
	if t.kind == array && t.elem.kind == record {
		t = t.elem
	}
	g.line("{ %s = malloc(sizeof(%s));", (&mtype{kind: pointer, elem: t}).declare(q), t)
	switch {
	case !t.hasPointers() && g.p(40):
		g.line("memset(%s, %d, sizeof *%s);", q, g.fill(t), q)
	case t.kind == record:
		g.line("*%s = %s;", q, g.recordValue(t, effects{}))
	case t.kind == array:
		g.line("for (int i = 0; i < %d; i++) (*%s)[i] = %s;", t.n, q, g.expr(1, effects{}))
	default:
		g.line("*%s = %s;", q, g.expr(2, effects{}))
	}
	leave := g.enterScope()
	// Within the block q is a pointer like others, but is not assigned: it is freed afterwards.
	v := pointerVar{q, &mtype{kind: pointer, elem: t, pool: g.n(pools)}, g.mem.scope, true}
	g.mem.pointers = append(g.mem.pointers, v)
	g.block(2+g.n(2), depth-1)
	g.dump("(*"+q+")", t)
	leave()
	g.line("free(%s); }", q)
	return true
}

// variableLength uses an array of variable length, of one dimension or two, whose sizeof is
// computed when the program runs:
//
//	{ int n = 1 + (e & 3); int z[n + 2]; … }
//	{ int n = 2 + (e & 1); int z[n][3], (*r)[3] = z; … }
func (g *generator) variableLength(int) bool {
	v, n := g.fresh("z"), g.fresh("z")
	t := g.wide().int.name
	if g.p(50) {
		g.line("{ int %s = 1 + (%s & 3); %s %s[%s]; for (int i = 0; i < %s; i++) %s[i] = i + %s; %s[%s > 2] ^= 5; %sobserve(%s[(unsigned char)%s %% %s]); %sobserve(sizeof %s); }",
			n, paren(g.expr(1, effects{})), t, v, "("+n+" + 2)", "("+n+" + 2)", v, small(paren(g.expr(1, effects{}))), v, n, g.prefix, v, paren(g.expr(1, effects{})), n, g.prefix, v)
	} else {
		g.line("{ int %s = 2 + (%s & 1); %s %s[%s][3], (*r)[3] = %s; for (int i = 0; i < %s; i++) for (int j = 0; j < 3; j++) %s[i][j] = 3 * i + j; r++; %sobserve((*r)[%s]); %sobserve(r - %s); %sobserve(sizeof %s); }",
			n, paren(g.expr(1, effects{})), t, v, n, v, n, v, g.prefix, g.index(3, effects{}), g.prefix, v, g.prefix, v)
	}
	return true
}

// buffer has an object in an array of characters, so an object of one type is read and written as
// another one:
//
//	{ char b[2 * sizeof(struct S)]; struct S *q = (struct S *)(b + sizeof(struct S)); … }
func (g *generator) buffer(depth int) bool {
	b, q := g.fresh("z"), g.fresh("q")
	// The object begins in the middle of the buffer, which is aligned for any type.
	t := pick(g, g.records())
	g.line("{ char %s[2 * sizeof(%s)] __attribute__((aligned(16))); %s = (%s *)(%s + sizeof(%s));", b, t, t.declare("*"+q), t, b, t)
	g.line("*%s = %s;", q, g.recordValue(t, effects{}))
	leave := g.enterScope()
	g.mem.pointers = append(g.mem.pointers, pointerVar{q, &mtype{kind: pointer, elem: t, pool: g.n(pools)}, g.mem.scope, true})
	g.block(1+g.n(2), depth-1)
	leave()
	g.dump("(*"+q+")", t)
	g.line("}")
	return true
}

// literal points to a compound literal, which lives as long as the block around it (C11 6.5.2.5p5):
//
//	{ struct S *q = &(struct S){ … }; … }
func (g *generator) literal(depth int) bool {
	q := g.fresh("q")
	t := g.arrayOf(g.wide())
	if g.p(50) {
		t = pick(g, g.mem.structs)
	}
	braces := func(s string) string {
		if strings.HasPrefix(s, "{") {
			return s
		}
		return "{ " + s + " }"
	}
	g.line("{ %s = &(%s)%s;", (&mtype{kind: pointer, elem: t}).declare(q), t, braces(g.initialiser(t, func(u *mtype) string { return g.partValue(u, effects{}) })))
	leave := g.enterScope()
	g.mem.pointers = append(g.mem.pointers, pointerVar{q, &mtype{kind: pointer, elem: t, pool: g.n(pools)}, g.mem.scope, true})
	g.block(1+g.n(2), depth-1)
	leave()
	g.dump("(*"+q+")", t)
	g.line("}")
	return true
}

// flexible uses a struct with a flexible array member, whose elements have no declared length:
//
//	{ struct S { char n; int data[]; } *q = malloc(sizeof *q + 3 * sizeof(int)); …; free(q); }
func (g *generator) flexible(int) bool {
	s, q := g.fresh("S"), g.fresh("q")
	t := g.wide().int.name
	n := 1 + g.n(5)
	g.line("{ struct %s { char n; %s data[]; } *%s = malloc(sizeof *%s + %d * sizeof(%s)); %s->n = %d;", s, t, q, q, n, t, q, n)
	g.line("for (int i = 0; i < %s->n; i++) %s->data[i] = %s; %s->data[%s]++;", q, q, g.expr(1, effects{}), q, g.index(n, effects{}))
	g.line("for (%s *r = %s->data; r != %s->data + %d; r++) %sobserve(*r); free(%s); }", t, q, q, n, g.prefix, q)
	return true
}

// fixedFunctions defines functions that do not depend on chance so much: the one with variable
// arguments, which also copies its list, selectors, functions that observe a structure, and
// builders.
func (g *generator) fixedFunctions() {
	p := g.prefix
	g.line("static long %svar(const char *kinds, ...)", p)
	g.line("{ __builtin_va_list ap, aq; long t = 0; __builtin_va_start(ap, kinds); __builtin_va_copy(aq, ap);")
	g.line("  for (const char *k = kinds; *k; k++) switch (*k) { case 'i': t = (t %% 1000) * 7 + __builtin_va_arg(ap, int) %% 97; break; case 'l': t = t %% 1000 + __builtin_va_arg(ap, long) %% 97; break;")
	g.line("    case 'q': t ^= (long)__builtin_va_arg(ap, unsigned long long); break; case 'p': t = t %% 1000 + *__builtin_va_arg(ap, unsigned char *); }")
	g.line("  if (*kinds == 'i') t ^= __builtin_va_arg(aq, int); __builtin_va_end(aq); __builtin_va_end(ap); return t; }")
	for _, t := range g.mem.kinds {
		if g.p(50) {
			s := selector{g.fresh("f"), t}
			g.line("static %s { return %s & 1 ? a : b; }", t.declare(fmt.Sprintf("%s(int i, %s, %s)", s.name, t.declare("a"), t.declare("b"))), "i")
			g.mem.selects = append(g.mem.selects, s)
		}
	}
	for _, t := range g.records() {
		g.line("static void %sdump_%s(%s);", g.prefix, t.rec.name, t.declare("*p"))
	}
	for _, t := range g.records() {
		g.dumpFunction(t)
	}
	for _, t := range g.records() {
		if g.p(60) {
			g.builder(t)
		}
	}
}

// builder defines a function that returns a structure.
func (g *generator) builder(t *mtype) {
	b := builder{name: g.fresh("f"), typ: t, params: []ctype{g.typ(), g.typ()}}
	leave := g.enterScope()
	n := len(g.vars)
	var params []string
	for _, p := range b.params {
		v := variable{g.fresh("a"), p, false, false}
		g.vars = append(g.vars, v)
		params = append(params, p.name+" "+v.name)
	}
	// The result is a local object, which the statements of the body may change.
	r := object{g.fresh("o"), t, g.n(pools), g.mem.scope}
	g.line("static %s %s(%s)", t, b.name, strings.Join(params, ", "))
	g.line("{")
	g.indent++
	g.line("%s = %s;", t.declare(r.name), g.initialiser(t, func(u *mtype) string { return g.partValue(u, effects{}) }))
	// After too many calls return the object as it was initialised.
	g.line("if (--%sfuel < 0) return %s;", g.prefix, r.name)
	g.mem.objects = append(g.mem.objects, r)
	g.body(1 + g.n(2))
	g.line("return %s;", r.name)
	g.indent--
	g.line("}")
	g.vars = g.vars[:n]
	leave()
	g.mem.builders = append(g.mem.builders, b)
}

// dumpFunction defines a function that observes all of a structure.
func (g *generator) dumpFunction(t *mtype) {
	g.line("static void %sdump_%s(%s)", g.prefix, t.rec.name, t.declare("*p"))
	g.line("{")
	g.indent++
	for _, m := range t.rec.members {
		// The bytes of a union have been observed as its first member; its structs may have
		// padding.
		if t.isUnion() && m.typ.kind == record {
			continue
		}
		g.dumpMember("p->", m)
	}
	g.indent--
	g.line("}")
}

// dumpMember observes a member, or the members of an anonymous structure.
func (g *generator) dumpMember(base string, m member) {
	if m.name != "" {
		g.dump(base+m.name, m.typ)
		return
	}
	for _, inner := range m.typ.rec.members {
		g.dumpMember(base, inner)
	}
}

// dump observes all of a place.
func (g *generator) dump(x string, t *mtype) {
	switch t.kind {
	case integer, bitField:
		g.line("%sobserve(%s);", g.prefix, x)
	case array:
		i := g.fresh("i")
		g.line("for (int %s = 0; %s < %d; %s++) {", i, i, t.n, i)
		g.indent++
		g.dump(x+"["+i+"]", t.elem)
		g.indent--
		g.line("}")
	case pointer:
		// Addresses differ between compilers: of a pointer only its nullness, pointee or
		// target is observed.
		if t.null {
			g.line("%sobserve(%s != 0);", g.prefix, x)
		} else if t.elem.kind == integer {
			g.line("%sobserve(*%s);", g.prefix, x)
		} else {
			g.line("%sobserve(%s == %s);", g.prefix, x, g.base(t))
		}
	case funcPointer:
		g.line("%sobserve(%s == %s);", g.prefix, x, t.sig.funcs[0])
	case record:
		g.line("%sdump_%s(&%s);", g.prefix, t.rec.name, x)
	}
}

// dumpObjects observes all objects in scope.
func (g *generator) dumpObjects() {
	if g.mem == nil {
		return
	}
	for _, o := range g.mem.objects {
		g.dump(o.name, o.typ)
	}
}
