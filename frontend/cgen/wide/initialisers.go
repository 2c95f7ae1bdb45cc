package wide

import (
	"fmt"
	"slices"
	"strings"
)

// This file generates parts with initialisers of every form: designators that override, nested ones,
// ranges, elided braces, unions, anonymous members, bit-fields, strings, compound literals.

// initialiser is the state of writing one initialiser.
type initialiser struct {
	*generator
	constant bool     // only constant expressions
	pointers []string // what pointers may be initialised by
	calls    []string // functions
	fields   int
}

// initialisers have an object of a random type, initialised by a random list; some of its scalars
// are observed, those without an initialiser, too.
var initialisers = class{"initialisers", []form{
	// An object with static storage duration: constant expressions only; the rest
	// is 0.
	{"static", func(g *generator) { g.initialised(true) }},
	// A local object: any expressions.
	{"automatic", func(g *generator) { g.initialised(false) }},
	// A compound literal, assigned, pointed to or passed.
	{"literal", func(g *generator) { g.literal() }},
	// Initialisers that call a function with a side effect: their order is open (C11 6.7.9p23).
	{"effects", under(byMembers, func(g *generator) { g.effects() })},
}}

// scalarShape returns a shape of a scalar; in a union one of four bytes.
func (g *initialiser) scalarShape() *shape {
	switch g.n(10) {
	case 0:
		return &shape{kind: "pointer"}
	case 1:
		return &shape{kind: "function"}
	case 2:
		return &shape{kind: "int", name: pick(g.generator, "unsigned", "int"), bits: 3 + g.n(6)}
	}
	return &shape{kind: "int", name: pick(g.generator, "int", "int", "short", "unsigned char", "long", "unsigned", "signed char", "_Bool")}
}

// aggregate returns a shape of a struct, union or array.
func (g *initialiser) aggregate(depth int) *shape {
	switch g.n(8) {
	case 0, 1:
		e := g.element(depth-1, true)
		return &shape{kind: "array", members: []*shape{e}, len: 2 + g.n(2)}
	case 2:
		return &shape{kind: "chars", members: []*shape{{kind: "int", name: "char"}}, len: 2 + g.n(4)}
	case 3:
		return g.union(depth)
	}
	s := &shape{kind: "struct"}
	// Two or three members; structs and unions among them may be anonymous.
	for range 2 + g.n(2) {
		m := g.element(depth-1, false)
		field := g.field()
		if (m.kind == "struct" || m.kind == "union") && g.p(30) {
			field = ""
		}
		s.members, s.fields = append(s.members, m), append(s.fields, field)
	}
	return s
}

// union returns one whose members are all four bytes long, without padding.
func (g *initialiser) union(depth int) *shape {
	i := func(name string) *shape { return &shape{kind: "int", name: name} }
	all := []*shape{
		i("int"), i("unsigned"),
		{kind: "struct", fields: []string{g.field(), g.field()}, members: []*shape{i("short"), i("unsigned short")}},
		{kind: "array", members: []*shape{i("unsigned char")}, len: 4},
		{kind: "array", members: []*shape{i("short")}, len: 2},
	}
	g.rng.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	u := &shape{kind: "union"}
	for _, m := range all[:2+g.n(2)] {
		u.members, u.fields = append(u.members, m), append(u.fields, g.field())
	}
	return u
}

// field returns a fresh name of a member: a, b, …, z, a_, …
func (g *initialiser) field() string {
	g.fields++
	return string(rune('a'+(g.fields-1)%26)) + strings.Repeat("_", (g.fields-1)/26)
}

// element returns a shape of a member or element: a scalar, or an aggregate if depth allows it.
// Elements of arrays are no bit-fields.
func (g *initialiser) element(depth int, array bool) *shape {
	if depth <= 0 || g.p(50) {
		s := g.scalarShape()
		if array {
			s.bits = 0
		}
		return s
	}
	return g.aggregate(depth)
}

// scalar returns an initialiser of a scalar, which may be in braces.
func (g *initialiser) scalar(s *shape, braces bool) string {
	switch s.kind {
	case "pointer":
		return pick(g.generator, append(slices.Clone(g.pointers), "0")...)
	case "function":
		return pick(g.generator, append(slices.Clone(g.calls), "0")...)
	}
	e := fmt.Sprint(1 + g.n(3))
	switch {
	case !g.constant && g.p(40):
		e = g.value()
	case g.p(15):
		e = fmt.Sprintf("%d + %d", g.n(3), g.n(3))
	case g.p(10):
		e = "(" + e + ")"
	}
	if braces && g.p(8) {
		return "{ " + e + " }"
	}
	return e
}

// braced returns an initialiser in braces of an aggregate. cur is the path of the part that the
// next item without a designator initialises (C11 6.7.9p17), nil after the last one: then the item
// needs a designator. An item may initialise parts that earlier ones did: the later one counts.
func (g *initialiser) braced(s *shape) string {
	if s.kind == "chars" && g.p(50) {
		var b strings.Builder
		for range g.n(s.len + 1) {
			b.WriteByte("abc"[g.n(3)])
		}
		if text := fmt.Sprintf("%q", b.String()); g.p(80) {
			return text
		} else {
			return "{ " + text + " }"
		}
	}
	var items []string
	cur := []int{0}
	for n := g.n(5); n > 0 || cur != nil && len(items) == 0; n-- {
		var text string
		if cur == nil || g.p(45) {
			text, cur = g.designator(s)
			text += " = "
		}
		// The part that the item initialises.
		at := s.at(cur)
		switch {
		case at.scalar():
			text += g.scalar(at, true)
		case g.p(70):
			text += g.braced(at)
		default: // without braces: what follows is for the first scalar in it
			for !at.scalar() {
				cur = append(cur, 0)
				at = at.member(0)
			}
			text += g.scalar(at, false)
		}
		items = append(items, text)
		cur = s.next(cur)
	}
	// Empty braces were no C before C23.
	if len(items) == 0 {
		return "{ 0 }"
	}
	return "{ " + strings.Join(items, ", ") + pick(g.generator, "", "", ",") + " }"
}

// designator returns one that leads into s, and its path.
func (g *initialiser) designator(s *shape) (text string, path []int) {
	for {
		i := g.n(s.count())
		path = append(path, i)
		step := s.step(i)
		// A range up to the last element; an item after it without a designator is for the
		// part after the array.
		if s.kind == "array" && i+1 < s.len && g.p(15) {
			step = fmt.Sprintf("[%d ... %d]", i, s.len-1)
			path[len(path)-1] = s.len - 1
		}
		text += step
		s = s.member(i)
		if step != "" && (s.scalar() || g.p(50)) {
			return text, path
		}
		if s.scalar() {
			return text, path
		}
	}
}

// initialiser prepares one, and declares the objects and functions that its pointers may be
// initialised by.
func (g *generator) initialiser(constant bool) *initialiser {
	in := &initialiser{generator: g, constant: constant}
	x := g.global("x")
	g.decl("static int %s = %s;", x, g.constant())
	in.pointers = []string{"&" + x}
	f := g.global("f")
	g.decl("static int %s(void) { return %d; }", f, 4+g.n(3))
	in.calls = []string{f}
	return in
}

// initialised declares an object and observes some of it.
func (g *generator) initialised(static bool) {
	in := g.initialiser(static)
	s := in.aggregate(2 + g.n(2))
	for s.kind == "chars" {
		s = in.aggregate(3)
	}
	var name string
	switch {
	case static && g.p(60):
		name = g.global("o")
		g.decl("%s%s = %s;", pick(g, "", "static ", "const "), s.declare(name), in.braced(s))
	case static:
		name = g.fresh("o")
		g.line("static %s = %s;", s.declare(name), in.braced(s))
	default:
		name = g.fresh("o")
		g.line("%s = %s;", s.declare(name), in.braced(s))
	}
	g.observeSome(s, name, 1+g.n(4))
}

// literal declares an object by a compound literal.
func (g *generator) literal() {
	in := g.initialiser(g.p(30))
	s := in.aggregate(2)
	for s.kind != "struct" && s.kind != "union" {
		s = in.aggregate(2)
	}
	tag, name := g.global("T"), g.fresh("o")
	g.decl("%s %s %s;", s.kind, tag, s.text())
	t := s.kind + " " + tag
	switch g.n(3) {
	case 0:
		g.line("%s %s = (%s)%s;", t, name, t, in.braced(s))
	case 1:
		g.line("%s *%s = &(%s)%s;", t, name, t, in.braced(s))
		name = "(*" + name + ")"
	default:
		f := g.global("f")
		g.decl("static %s %s(%s v) { return v; }", t, f, t)
		g.line("%s %s = %s((%s)%s);", t, name, f, t, in.braced(s))
	}
	g.observeSome(s, name, 1+g.n(4))
}

// observeSome observes n scalars of an object.
func (g *generator) observeSome(s *shape, name string, n int) {
	all := s.scalars("")
	for range n {
		p := pick(g, all...)
		e := name + p.path
		switch p.shape.kind {
		case "pointer":
			g.observe("%s ? *%s : -1", e, e)
		case "function":
			g.observe("%s != 0", e)
			if g.p(50) {
				r := g.fresh("r")
				g.line("int %s = %s ? %s() : -1;", r, e, e)
				g.observe("%s", r)
			}
		default:
			g.observe("%s", e)
		}
	}
}

// effects declares an object whose initialisers have side effects, in no order, and one
// that may not be evaluated at all.
func (g *generator) effects() {
	x, f, o := g.global("x"), g.global("f"), g.fresh("o")
	g.decl("static int %s;", x)
	g.decl("static int %s(void) { return ++%s; }", f, x)
	g.line("%s = 0;", x)
	switch g.n(5) {
	case 0:
		// Two calls in one list, in the order of the members or not.
		g.line("struct { int a, b; } %s = { .b = %s(), .a = %s() };", o, f, f)
		g.observeOpen([]int64{1, 2}, "%s.%s", o, pick(g, "a", "b"))
		g.observe("%s.a + %s.b", o, o)
	// Two elements: either call may come first, but both are evaluated.
	case 1:
		g.line("int %s[2] = { %s(), %s() };", o, f, f)
		g.observeOpen([]int64{1, 2}, "%s[%d]", o, g.n(2))
		g.observe("%s", x)
	// The second initialiser of an element overrides the first, which may not be evaluated at
	// all.
	case 2:
		g.line("int %s[1] = { [0] = %s(), [0] = %s() };", o, f, f)
		g.observeOpen([]int64{1, 2}, "%s", x)
		g.observeOpen([]int64{1, 2}, "%s[0]", o)
	// A call and a value without side effects.
	case 3:
		g.line("int %s[3] = { [1] = %s, [0] = %s() };", o, g.value(), f)
		g.observe("%s[0]", o)
		g.observe("%s[%d]", o, 1+g.n(2))
	// The initialiser of the whole struct overrides that of its member before: a is 0 then.
	default:
		g.line("struct { struct { int a, b; } p; } %s = { .p.a = %s(), .p = { .b = 7 } };", o, f)
		g.observe("%s.p.a", o)
		g.observeOpen([]int64{0, 1}, "%s", x)
	}
}
