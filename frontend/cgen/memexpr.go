package cgen

import (
	"fmt"
	"strings"
)

// This file generates expressions over memory.

// maxNested bounds memory accesses in indices of memory accesses.
const maxNested = 2

// usesMemory reports whether an expression here may access memory: not in pure functions, and not
// too deep in the indices of other accesses.
func (g *generator) usesMemory() bool {
	return g.mem != nil && !g.pure && g.mem.nested < maxNested
}

// memoryLeaf returns an integer read from memory, or "", false: mostly a place; sometimes a
// comparison of pointers, a distance in an array, a member of a value, a byte, an element of a
// string literal, a sizeof, or a sibling of a member.
func (g *generator) memoryLeaf(e effects) (string, bool) {
	if !g.usesMemory() || !g.p(50) {
		return "", false
	}
	switch k := g.n(24); {
	case k < 1:
		return g.comparePointers(e)
	case k < 2:
		return g.inArray(e)
	case k < 3:
		return g.ofValue(e)
	case k < 4:
		return g.byteOf(e)
	case k < 5:
		return fmt.Sprintf("%q[%s]", g.text(), g.index(4, e)), true
	case k < 6:
		if p, ok := g.find(search{want: func(*mtype) bool { return true }, scope: g.mem.scope}, e.quiet()); ok && p.typ.kind != bitField {
			return fmt.Sprintf("(sizeof(%s) > %d)", p.lvalue(), g.n(30)), true
		}
	case k < 7:
		return g.sibling(e)
	}
	p, ok := g.intPlace(e, false)
	return p.lvalue(), ok
}

// text returns a string of at least 4 characters.
func (g *generator) text() string {
	return pick(g, []string{"abcd", "hello", "x\x01y\x7f", "0123456789", "\xff\xfe\x80z"})
}

// anyKind returns a type of pointers that has values in scope.
func (g *generator) anyKind() *mtype { return pick(g, g.mem.kinds) }

// comparePointers compares two pointers for equality: &o1 == &(*q).m. That finds a lowering or an
// alias analysis that takes two names for different objects, or one object for two.
func (g *generator) comparePointers(e effects) (string, bool) {
	t := g.anyKind()
	x, y := g.address(t, e.quiet(), g.mem.scope), g.address(t, e.quiet(), g.mem.scope)
	return fmt.Sprintf("(%s %s %s)", paren(x), pick(g, []string{"==", "!="}), paren(y)), true
}

// inArray compares or subtracts addresses in an array, counted in elements:
//
//	(&a[i]) - (a + j)
func (g *generator) inArray(e effects) (string, bool) {
	p, ok := g.find(search{want: func(t *mtype) bool { return t.kind == array }, scope: g.mem.scope}, e.quiet())
	if !ok {
		return "", false
	}
	a, n := p.lvalue(), p.typ.n
	x := fmt.Sprintf("&%s[%s]", a, g.index(n, e))
	y := fmt.Sprintf("%s + %s", a, g.index(n, e))
	return fmt.Sprintf("((%s) %s (%s))", x, pick(g, []string{"-", "<", ">=", "=="}), y), true
}

// byteOf returns a byte of an object, as a signed or unsigned character:
//
//	((unsigned char *)&x)[i % sizeof(x)]
//
// The object may have been written as a whole, in part, or as another member of its union.
func (g *generator) byteOf(e effects) (string, bool) {
	p, ok := g.find(search{want: (*mtype).bytewise, scope: g.mem.scope}, e.quiet())
	if !ok {
		return "", false
	}
	c := pick(g, []string{"unsigned char", "signed char", "char"})
	x := g.expr(1, e.quiet())
	return fmt.Sprintf("((%s *)%s)[(unsigned char)%s %% sizeof(%s)]", c, paren(p.address()), paren(x), p.lvalue()), true
}

// ofValue returns a part of a structure that is no lvalue: of the result of a function, or of a
// compound literal.
//
//	f(1, 2).m  ((struct S){ 1 }).m[i]
func (g *generator) ofValue(e effects) (string, bool) {
	t := pick(g, g.records())
	x := g.recordValue(t, e)
	s := search{want: isInt, scope: g.mem.scope}
	quiet := e.quiet()
	quiet.noGlob = true // x may be a call
	if !s.leads(t, quiet, 0) {
		return "", false
	}
	return g.walk(somewhere{text: x, typ: t}, s, quiet, 0).lvalue(), true
}

// sibling goes from a member to another one of its structure, as Linux's container_of does, or to a
// member by the structure's address plus an offset, computed in bytes or as a number:
//
//	((struct S *)((char *)&x.a - __builtin_offsetof(struct S, a)))->b
//	(*(int *)((unsigned long)&x + __builtin_offsetof(struct S, b)))
func (g *generator) sibling(e effects) (string, bool) {
	isStruct := func(t *mtype) bool { return t.kind == record && t.rec.keyword == "struct" && t.rec.name != "" }
	p, ok := g.find(search{want: isStruct, scope: g.mem.scope}, e.quiet())
	if !ok {
		return "", false
	}
	var from, to []member
	for _, m := range p.typ.rec.members {
		if m.name != "" && m.typ.kind != bitField {
			from = append(from, m)
			if m.typ.kind == integer {
				to = append(to, m)
			}
		}
	}
	if len(to) == 0 {
		return "", false
	}
	a, b := pick(g, from), pick(g, to)
	name := p.typ.rec.name
	member := g.memberOf(p, a).address()
	if g.p(50) {
		return fmt.Sprintf("((struct %s *)((char *)%s - __builtin_offsetof(struct %s, %s)))->%s", name, member, name, a.name, b.name), true
	}
	return fmt.Sprintf("(*(%s *)((%s)%s + __builtin_offsetof(struct %s, %s)))",
		b.typ, pick(g, []string{"char *", "unsigned long"}), paren(p.address()), name, b.name), true
}

// memoryStore writes an integer in memory; "", false if it may not, or finds no place that e lets
// it write. The right side may write other pools only if the address of the place is constant: C
// does not order the two sides.
func (g *generator) memoryStore(depth int, e effects) (string, bool) {
	if !g.usesMemory() || !g.p(55) {
		return "", false
	}
	p, ok := g.intPlace(e, true)
	if !ok {
		return "", false
	}
	inner := e.quiet()
	if p.simple && g.p(60) { // nothing that the right side does changes where p is
		for _, w := range e.write {
			if w.name != poolName(p.pool) {
				inner.write = append(inner.write, w)
			}
		}
		inner.call = e.call
	}
	return g.assignTo(p.lvalue(), p.typ.int, depth, inner), true
}

// assignTo returns an assignment to x, of type t; e limits the side effects of the right side. Some
// are x++ or the like; the others are plain or compound, and a compound one calls nothing.
func (g *generator) assignTo(x string, t ctype, depth int, e effects) string {
	switch g.n(9) {
	case 0:
		return x + "++"
	case 1:
		return "--" + x
	case 2:
		return pick(g, []string{"++", "--"}) + x
	case 3, 4, 5, 6:
		return fmt.Sprintf("(%s = %s)", x, g.expr(depth-1, e))
	}
	e.call = false
	rhs := paren(g.expr(depth-1, e))
	switch g.n(4) {
	case 0:
		return fmt.Sprintf("(%s %s %s)", x, pick(g, []string{"&=", "|=", "^="}), rhs)
	case 1:
		return fmt.Sprintf("(%s %s %s)", x, pick(g, []string{"/=", "%="}), g.divisor(rhs))
	case 2:
		return fmt.Sprintf("(%s >>= (%s & 7))", x, rhs)
	}
	if t.signed && t.bits >= 32 {
		return fmt.Sprintf("(%s = (%s %% 1000), %s %s %s)", x, x, x, pick(g, []string{"+=", "-="}), small(rhs))
	}
	return fmt.Sprintf("(%s %s %s)", x, pick(g, []string{"+=", "-="}), small(rhs))
}

// memoryCall returns a call through a pointer, or of a function with variable arguments:
//
//	(*o.m)(x, &y)  o[i](x)
func (g *generator) memoryCall(depth int, e effects) (string, bool) {
	if !g.usesMemory() || !e.call || e.noGlob || !g.p(50) {
		return "", false
	}
	if g.p(25) {
		return g.variadicCall(depth, e), true
	}
	s := search{want: func(t *mtype) bool { return t.kind == funcPointer }, scope: g.mem.scope}
	p, ok := g.find(s, e.quiet())
	if !ok {
		return "", false
	}
	// The pointer is read before or after the arguments are: they must not change it.
	f := fn{name: p.lvalue(), params: p.typ.sig.params}
	if p.typ.sig.pointer != nil {
		f.memory = []*mtype{p.typ.sig.pointer}
	}
	if g.p(20) {
		f.name = "(*" + f.name + ")"
	}
	return g.callOf(f, depth, e.quiet()), true
}

// variadicCall returns a call of the function that sums up its arguments according to a string:
//
//	p_var("lip", (long)x, (char)y, &z)
//
// Narrow arguments are promoted to int, and the function reads them as int.
func (g *generator) variadicCall(depth int, e effects) string {
	kinds := ""
	var args strings.Builder
	for n := 1 + g.n(4); n > 0; n-- {
		x := g.expr(min(depth-1, 1), e.quiet())
		switch g.n(4) {
		case 0:
			kinds += "l"
			x = "(long)" + paren(x)
		case 1:
			kinds += "q"
			x = "(unsigned long long)" + paren(x)
		case 2:
			kinds += "i"
			x = paren("(" + pick(g, []string{"char", "short", "int", "_Bool", "unsigned char"}) + ")" + paren(x))
		default:
			if p, ok := g.find(search{want: (*mtype).bytewise, scope: g.mem.scope}, e.quiet()); ok {
				kinds += "p"
				x = p.address()
				break
			}
			kinds += "i"
			x = "(int)" + paren(x)
		}
		fmt.Fprintf(&args, ", %s", x)
	}
	return fmt.Sprintf("%svar(%q%s)", g.prefix, kinds, args.String())
}

// memoryValue returns a value of type t, a pointer or structure, for an argument.
func (g *generator) memoryValue(t *mtype, e effects) string {
	if t.kind == pointer {
		return g.address(t, e.quiet(), g.mem.scope)
	}
	return g.recordValue(t, e)
}

// recordValue returns a structure: an object, a compound literal or the result of a call.
func (g *generator) recordValue(t *mtype, e effects) string {
	if e.call && !e.noGlob && g.p(40) {
		// A structure that a function returns, by value.
		for _, b := range g.mem.builders {
			if b.typ == t && g.p(70) {
				return g.callOf(fn{name: b.name, params: b.params}, 1, e.quiet())
			}
		}
	}
	if p, ok := g.find(search{want: t.same, scope: g.mem.scope}, e.quiet()); ok && g.p(70) {
		return p.lvalue()
	}
	return fmt.Sprintf("(%s)%s", t, g.initialiser(t, func(u *mtype) string { return g.partValue(u, e) }))
}

// partValue returns a value for a part of a structure of automatic storage duration.
func (g *generator) partValue(t *mtype, e effects) string {
	g.mem.nested++
	defer func() { g.mem.nested-- }()
	switch t.kind {
	case pointer:
		return g.address(t, e.quiet(), 0)
	case funcPointer:
		return pick(g, t.sig.funcs)
	}
	return g.expr(1, e.quiet())
}

// constantValue returns a value for a part of a global object.
func (g *generator) constantValue(t *mtype) string {
	switch t.kind {
	case pointer:
		return g.constantAddress(t)
	case funcPointer:
		return pick(g, []string{"", "&"}) + pick(g, t.sig.funcs)
	}
	return g.constantExpr(1)
}

// initialiser returns an initialiser for t; value gives the scalars. Every pointer that is
// not null, and the first member of a union, has one.
func (g *generator) initialiser(t *mtype, value func(*mtype) string) string {
	switch t.kind {
	case array:
		return g.arrayInitialiser(t, value)
	case record:
		// The first member covers the union.
		if t.isUnion() {
			return "{ " + g.initialiser(t.rec.members[0].typ, value) + " }"
		}
		return g.structInitialiser(t, value)
	}
	return value(t)
}

// arrayInitialiser returns the initialiser of an array: a string, perhaps in braces, which may fill
// it without the final 0; or a list, with index and range designators, which may be shorter than
// the array unless it has pointers: the rest is 0, and a pointer must not be.
func (g *generator) arrayInitialiser(t *mtype, value func(*mtype) string) string {
	if e := t.elem; e.kind == integer && e.int.bits == 8 && g.p(30) {
		s := g.text()
		s = fmt.Sprintf("%q", s[:min(len(s), t.n)])
		if g.p(30) {
			s = "{ " + s + " }"
		}
		return s
	}
	var list []string
	// Each pointer that must not be null needs a value.
	full := t.elem.hasPointers()
	if !full && t.n > 1 && g.p(20) && t.elem.kind == integer {
		// Later elements of the list overwrite those of the range.
		i := g.n(t.n - 1) // the C parser of this project wants two elements at least
		list = append(list, fmt.Sprintf("[%d ... %d] = %s", i, i+1+g.n(t.n-i-1), g.initialiser(t.elem, value)))
	}
	n := t.n
	if !full {
		n = 1 + g.n(min(t.n, 6))
	}
	for i := range n {
		x := g.initialiser(t.elem, value)
		if g.p(15) {
			x = fmt.Sprintf("[%d] = %s", i, x)
		} else if i == 0 && len(list) > 0 {
			x = "[0] = " + x
		}
		list = append(list, x)
	}
	return "{ " + strings.Join(list, ", ") + " }"
}

// structInitialiser returns the initialiser of a struct: its members in order, or designated, in
// any order, without some that have no pointers.
func (g *generator) structInitialiser(t *mtype, value func(*mtype) string) string {
	var list []string
	// All members are designated, or none is.
	designated := g.p(40)
	for _, m := range t.rec.members {
		if designated && !m.typ.hasPointers() && g.p(30) {
			continue
		}
		x := g.initialiser(m.typ, value)
		if designated && m.name != "" {
			x = fmt.Sprintf(".%s = %s", m.name, x)
			// An anonymous structure is designated by its first member.
		} else if designated {
			inner := m.typ.rec.members[0]
			x = fmt.Sprintf(".%s = %s", inner.name, value(inner.typ))
		}
		list = append(list, x)
	}
	if designated {
		g.rng.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	}
	if len(list) == 0 {
		return "{ }"
	}
	return "{ " + strings.Join(list, ", ") + " }"
}
