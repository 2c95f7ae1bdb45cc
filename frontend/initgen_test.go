package frontend

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// This file generates initialisers that override one another: of structs, unions, arrays
// of them, members of anonymous ones, bit-fields, with designators in any order, ranges,
// missing braces, strings, values of structs, calls.

// initType is a type that can be initialised.
type initType struct {
	name    string // of a scalar, struct or union; of an array: ""
	bits    int    // of a bit-field, else 0
	elem    *initType
	count   int
	union   bool
	members []initMember
	chars   bool // an array of characters
}

type initMember struct {
	name string // "": anonymous
	typ  *initType
}

// initGenerator makes one program.
type initGenerator struct {
	*rand.Rand
	text    strings.Builder
	records []*initType
	calls   bool // initialisers may have side effects
	values  bool // and be values of structs
	n       int
}

var initScalars = []*initType{{name: "signed char"}, {name: "short"}, {name: "int"}, {name: "unsigned"}, {name: "long long"}}

// someType is a type for a member.
func (g *initGenerator) someType(depth int) *initType {
	switch k := g.IntN(10); {
	case k < 2 && depth > 0:
		return &initType{elem: g.someType(depth - 1), count: 1 + g.IntN(3)}
	case k < 3:
		return &initType{elem: &initType{name: "char"}, count: 1 + g.IntN(5), chars: true}
	case k < 6 && len(g.records) > 0:
		return g.records[g.IntN(len(g.records))]
	}
	return initScalars[g.IntN(len(initScalars))]
}

// record declares a struct or union.
func (g *initGenerator) record() {
	g.n++
	r := &initType{union: g.IntN(4) == 0}
	kind := "struct"
	if r.union {
		kind = "union"
	}
	r.name = fmt.Sprintf("%s R%d", kind, g.n)
	fmt.Fprintf(&g.text, "%s {\n", r.name)
	r.members = g.memberList(1+g.IntN(4), true)
	g.text.WriteString("};\n")
	g.records = append(g.records, r)
}

// memberList writes n members.
func (g *initGenerator) memberList(n int, anonymous bool) (list []initMember) {
	for range n {
		g.n++
		name := fmt.Sprintf("m%d", g.n)
		switch k := g.IntN(8); {
		case k == 0 && anonymous:
			in := &initType{union: g.IntN(2) == 0}
			kind := "struct"
			if in.union {
				kind = "union"
			}
			fmt.Fprintf(&g.text, "  %s {\n", kind)
			in.members = g.memberList(1+g.IntN(3), false)
			g.text.WriteString("  };\n")
			list = append(list, initMember{"", in})
		case k == 1:
			b := &initType{name: "int", bits: 2 + g.IntN(12)}
			fmt.Fprintf(&g.text, "  int %s : %d;\n", name, b.bits)
			list = append(list, initMember{name, b})
		default:
			t := g.someType(2)
			fmt.Fprintf(&g.text, "  %s;\n", t.declare(name))
			list = append(list, initMember{name, t})
		}
	}
	return list
}

// declare is the declaration of name.
func (t *initType) declare(name string) string {
	for ; t.elem != nil; t = t.elem {
		name += fmt.Sprintf("[%d]", t.count)
	}
	return t.name + " " + name
}

// tag is the name of a struct or union without its first word.
func (t *initType) tag() string { return t.name[strings.IndexByte(t.name, ' ')+1:] }

func (t *initType) isScalar() bool { return t.elem == nil && t.members == nil }

// size is the number of parts of t.
func (t *initType) size() int {
	if t.elem != nil {
		return t.count
	}
	return len(t.members)
}

func (t *initType) part(i int) *initType {
	if t.elem != nil {
		return t.elem
	}
	return t.members[i].typ
}

// scalar is an expression for a scalar.
func (g *initGenerator) scalar() string {
	if g.calls && g.IntN(6) == 0 {
		return "f()"
	}
	return fmt.Sprint(1 + g.IntN(60))
}

func (g *initGenerator) str(t *initType) string {
	s := "abcdefgh"[g.IntN(3):]
	return fmt.Sprintf("%q", s[:min(len(s), g.IntN(t.count+1))])
}

// whole is an initialiser for all of t that is no list: "" if there is none.
func (g *initGenerator) whole(t *initType) string {
	switch {
	case t.isScalar():
		return g.scalar()
	case t.chars && g.IntN(2) == 0:
		return g.str(t)
	case t.members != nil && t.name != "" && g.values && g.IntN(4) == 0:
		return "v" + t.tag()
	}
	return ""
}

// initialiser is an initialiser of t.
func (g *initGenerator) initialiser(t *initType, depth int) string {
	if s := g.whole(t); s != "" {
		if g.IntN(12) == 0 && (t.isScalar() && !strings.HasSuffix(t.name, "char") || t.chars && s[0] == '"') {
			return "{ " + s + " }"
		}
		return s
	}
	return g.list(t, depth)
}

// list is an initialiser of t in braces.
func (g *initGenerator) list(t *initType, depth int) string {
	var items []string
	positional := false
	next, stuck := 0, false // where a value without a designator goes; stuck: somewhere within a part
	for range g.IntN(4 + depth) {
		switch {
		case t.union && positional: // cc refuses a designator after a value without one
			continue
		case g.IntN(3) == 0 || next >= t.size() || stuck || t.union && next > 0:
			var designated string
			designated, next, stuck = g.designated(t, depth)
			stuck = stuck || t.union
			items = append(items, designated)
		default:
			p := t.part(next)
			positional = true
			if !p.isScalar() && !p.chars && g.IntN(4) == 0 {
				var flat []string
				flat, stuck = g.flat(p)
				items = append(items, flat...)
				stuck = !stuck
			} else {
				items = append(items, g.initialiser(p, depth-1))
			}
			next++
		}
	}
	if len(items) == 0 {
		return "{}"
	}
	return "{ " + strings.Join(items, ", ") + []string{" }", ", }"}[g.IntN(2)]
}

// flat initialises t, from its start, without braces; full says to the end.
func (g *initGenerator) flat(t *initType) (list []string, full bool) {
	if t.isScalar() {
		return []string{g.scalar()}, true
	}
	for i := range t.size() {
		if i > 0 && (t.union || g.IntN(5) == 0) {
			return list, t.union
		}
		more, full := g.flat(t.part(i))
		if list = append(list, more...); !full {
			return list, false
		}
	}
	return list, true
}

// designated is an item with designators in a list for t. next is where the list goes on,
// stuck is set if that is somewhere inside of a part.
func (g *initGenerator) designated(t *initType, depth int) (item string, next int, stuck bool) {
	var b strings.Builder
	ranged := false // cc wants ranges in the outermost array, and indices not after them
	for level := 0; ; level++ {
		i := g.IntN(t.size())
		p := t.part(i)
		switch {
		case t.elem == nil && t.members[i].name == "": // named through
			if level == 0 {
				next, stuck = i+1, true
			}
			t = p
			continue
		case ranged && t.elem != nil:
			return b.String() + " = " + g.initialiser(t, depth-1), next, stuck
		case t.elem == nil:
			fmt.Fprintf(&b, ".%s", t.members[i].name)
		case i+1 < t.count && level == 0 && g.IntN(3) == 0:
			ranged = true
			last := i + 1 + g.IntN(t.count-i-1)
			fmt.Fprintf(&b, "[%d ... %d]", i, last)
			i = last
		default:
			fmt.Fprintf(&b, "[%d]", i)
		}
		if level == 0 {
			next = i + 1
		} else {
			stuck = true
		}
		t = p
		if t.isScalar() || g.IntN(2) == 0 {
			break
		}
	}
	if !t.isScalar() && !t.chars && g.IntN(3) == 0 {
		flat, full := g.flat(t)
		return b.String() + " = " + strings.Join(flat, ", "), next, stuck || !full
	}
	return b.String() + " = " + g.initialiser(t, depth-1), next, stuck
}

// reads appends to list the scalars in the place path of type t.
func (t *initType) reads(path string, list []string) []string {
	switch {
	case t.isScalar():
		return append(list, path)
	case t.elem != nil:
		for i := range t.count {
			list = t.elem.reads(fmt.Sprintf("%s[%d]", path, i), list)
		}
		return list
	}
	for _, m := range t.members {
		if m.name == "" {
			list = m.typ.reads(path, list)
		} else {
			list = m.typ.reads(path+"."+m.name, list)
		}
	}
	return list
}

// initialiserProgram is a program that adds up, in sum, what many initialisers set.
func initialiserProgram(seed uint64) string {
	g := &initGenerator{Rand: rand.New(rand.NewPCG(seed, 11))}
	g.text.WriteString("unsigned long long sum = 1; static int n; static int f(void) { return 100 + ++n; }\n")
	g.text.WriteString("static void dirty(void) { volatile char x[2000]; for (int i = 0; i < 2000; i++) x[i] = 0; }\n")
	for range 5 {
		g.record()
	}
	for _, r := range g.records {
		fmt.Fprintf(&g.text, "%s v%s = %s;\n", r.name, r.tag(), g.list(r, 2))
	}
	var calls strings.Builder
	for i := range 14 {
		r := g.records[g.IntN(len(g.records))]
		t := r
		if g.IntN(3) == 0 {
			t = &initType{elem: r, count: 1 + g.IntN(3)}
		}
		static := g.IntN(3) == 0
		g.calls, g.values = !static, !static
		init := g.list(t, 3)
		if static {
			fmt.Fprintf(&g.text, "static %s = %s;\n", t.declare(fmt.Sprintf("x%d", i)), init)
		}
		fmt.Fprintf(&g.text, "static void f%d(void)\n{\n  n = 0;\n", i)
		switch {
		case static:
		case t.elem == nil && g.IntN(3) == 0:
			fmt.Fprintf(&g.text, "  %s; x%d = (%s)%s;\n", t.declare(fmt.Sprintf("x%d", i)), i, t.name, init)
		default:
			fmt.Fprintf(&g.text, "  %s = %s;\n", t.declare(fmt.Sprintf("x%d", i)), init)
		}
		for _, place := range t.reads(fmt.Sprintf("x%d", i), nil) {
			fmt.Fprintf(&g.text, "  sum = sum * 31 + (unsigned long long)%s;\n", place)
		}
		g.text.WriteString("  sum = sum * 31 + n;\n}\n")
		fmt.Fprintf(&calls, "  dirty(); f%d();\n", i)
	}
	return g.text.String() + "int main(void)\n{\n" + calls.String()
}
