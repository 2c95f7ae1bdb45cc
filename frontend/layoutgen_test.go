package frontend

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// This file generates random declarations of structs and unions.

// layoutMember is a member that can be named from outside, through anonymous members.
type layoutMember struct {
	path     string
	bitField bool
	isBool   bool
	integer  bool // of an integer type that is supported
}

// layoutRecord is a generated struct or union.
type layoutRecord struct {
	name    string // struct r3
	typ     string // what to declare variables with
	members []layoutMember
	open    bool // ends with an array without a number of elements
}

// layoutGen generates declarations.
type layoutGen struct {
	*rand.Rand
	bits32  bool
	atomics bool // there are members of atomic types: not all layouts with them are known
	text    strings.Builder
	records []layoutRecord
	next    int
}

const layoutPrelude = `
typedef int a16 __attribute__((aligned(16)));
typedef a16 b16;
typedef long long low2 __attribute__((aligned(2)));
typedef __attribute__((aligned(8))) short s8;
typedef unsigned char byte;
typedef _Atomic unsigned long long at8;
typedef at8 bt8;
typedef int v4 __attribute__((vector_size(16)));
typedef char *text;
typedef int triple[3];
typedef char wide[5] __attribute__((aligned(4)));
enum small { SA, SB, SC };
enum big { BA = 0x100000000, BB = 1 };
enum negative { NA = -1, NB };
enum tiny { TA, TB = 200 } __attribute__((packed));
typedef enum { UA = -129, UB } __attribute__((packed)) two;
struct six { short a, b, c; };
typedef struct { char c; } __attribute__((aligned(8))) held;
typedef struct six six16 __attribute__((aligned(16)));
`

func generateLayouts(seed uint64, bits32, atomics bool, count int) *layoutGen {
	g := &layoutGen{Rand: rand.New(rand.NewPCG(seed, 1)), bits32: bits32, atomics: atomics}
	g.text.WriteString(layoutPrelude)
	for range count {
		g.record()
	}
	return g
}

func (g *layoutGen) chance(percent int) bool { return g.IntN(100) < percent }

func pick[T any](g *layoutGen, list ...T) T { return list[g.IntN(len(list))] }

// record writes one definition at file scope.
func (g *layoutGen) record() {
	pack := g.chance(15)
	if pack {
		fmt.Fprintf(&g.text, "#pragma pack(push, %d)\n", pick(g, 1, 2, 4, 8))
	}
	kind := "struct"
	if g.chance(20) {
		kind = "union"
	}
	name := fmt.Sprintf("%s r%d", kind, len(g.records))
	r := layoutRecord{name: name, typ: name}
	before, after := g.attributes(25), ""
	if g.chance(50) {
		before, after = after, before
	}
	fmt.Fprintf(&g.text, "%s %sr%d {\n", kind, before, len(g.records))
	r.members, r.open = g.body(kind == "union", 0)
	fmt.Fprintf(&g.text, "} %s;\n", after)
	if pack {
		g.text.WriteString("#pragma pack(pop)\n")
	}
	if !r.open && g.chance(20) {
		r.typ = fmt.Sprintf("t%d", len(g.records))
		fmt.Fprintf(&g.text, "typedef %s %s%s;\n", name, r.typ, g.aligned(50))
	}
	g.records = append(g.records, r)
}

// attributes are those of a struct or member.
func (g *layoutGen) attributes(percent int) string {
	if !g.chance(percent) {
		return ""
	}
	if g.chance(60) {
		return pick(g, " __attribute__((packed)) ", " __attribute__((__packed__)) ")
	}
	if g.chance(30) {
		return fmt.Sprintf(" __attribute__((packed, aligned(%d))) ", pick(g, 1, 2, 4, 8, 16))
	}
	return g.aligned(100)
}

func (g *layoutGen) aligned(percent int) string {
	if !g.chance(percent) {
		return ""
	}
	if g.chance(10) {
		return " __attribute__((aligned)) "
	}
	return fmt.Sprintf(" __attribute__((aligned(%d))) ", pick(g, 1, 2, 4, 8, 16, 32))
}

// body writes the members.
func (g *layoutGen) body(union bool, depth int) (list []layoutMember, open bool) {
	n := 1 + g.IntN(7)
	for i := range n {
		switch {
		case g.chance(40):
			list = append(list, g.bitField()...)
		case depth < 2 && g.chance(15):
			list = append(list, g.nested(depth)...)
		case !union && depth == 0 && i == n-1 && i > 0 && g.chance(20) && hasNamed(list):
			fmt.Fprintf(&g.text, "  %s m%d[];\n", pick(g, "int", "char", "long long", "double"), g.next)
			g.next++
			return list, true
		default:
			list = append(list, g.ordinary())
		}
	}
	if !hasNamed(list) {
		list = append(list, g.ordinary())
	}
	return list, false
}

func hasNamed(list []layoutMember) bool { return len(list) > 0 }

func (g *layoutGen) nested(depth int) (list []layoutMember) {
	kind := pick(g, "struct", "union")
	before, after := g.attributes(20), ""
	if before == "" {
		after = g.attributes(25)
	}
	fmt.Fprintf(&g.text, "  %s %s{\n", kind, before)
	list, _ = g.body(kind == "union", depth+1)
	name := ""
	if g.chance(40) {
		name = fmt.Sprintf("m%d", g.next)
		g.next++
		for i := range list {
			list[i].path = name + "." + list[i].path
		}
		list = append(list, layoutMember{path: name})
	}
	fmt.Fprintf(&g.text, "  } %s%s;\n", name, after)
	return list
}

// ordinary writes a member that is no bit-field.
func (g *layoutGen) ordinary() layoutMember {
	name := fmt.Sprintf("m%d", g.next)
	g.next++
	types := []string{"char", "short", "int", "long", "long long", "float", "double", "long double", "_Bool",
		"byte", "text", "triple", "enum small", "enum big", "enum negative", "enum tiny", "two", "struct six", "held",
		"_Complex double", "_Complex float", "v4", "int *", "void (*)(void)"}
	single := []string{"a16", "b16", "low2", "s8", "six16", "wide", "const a16"}
	if !g.bits32 {
		types = append(types, "__int128")
	}
	if g.atomics {
		types = append(types, "_Atomic long long", "_Atomic short", "_Atomic double", "at8", "bt8")
	}
	suffix := ""
	t := pick(g, types...)
	switch {
	case g.chance(15):
		t = pick(g, single...)
	case len(g.records) > 0 && g.chance(15):
		if r := pick(g, g.records...); !r.open {
			t = r.typ
		}
	case g.chance(15) && t != "void (*)(void)":
		suffix = pick(g, "[3]", "[1]", "[2][2]", "[0]")
	}
	before, after := "", g.attributes(15)
	switch {
	case slices.Contains(single, t), strings.HasPrefix(t, "t"): // cc refuses a second alignment
		after = ""
		if g.chance(10) {
			after = " __attribute__((packed))"
		}
	case g.chance(10) && after != "" && slices.Contains([]string{"char", "int", "long long", "int *", "byte"}, t):
		before, after = after, ""
	case g.chance(4) && after == "":
		before = "_Alignas(32) "
		if t == "char" {
			before = pick(g, "_Alignas(long double) ", "_Alignas(double) ", "_Alignas(0) ")
		}
	}
	if t == "void (*)(void)" {
		fmt.Fprintf(&g.text, "  %svoid (*%s)(void)%s;\n", before, name, after)
	} else {
		fmt.Fprintf(&g.text, "  %s%s %s%s%s;\n", before, t, name, suffix, after)
	}
	whole := []string{"char", "short", "int", "long", "long long", "byte", "enum small", "enum big", "enum negative", "a16", "b16", "low2", "s8"}
	return layoutMember{path: name, integer: suffix == "" && slices.Contains(whole, t)}
}

// bitField writes one or more bit-fields.
func (g *layoutGen) bitField() (list []layoutMember) {
	types := []struct {
		name string
		bits int
	}{
		{"char", 8}, {"unsigned char", 8}, {"short", 16}, {"unsigned short", 16}, {"int", 32}, {"unsigned", 32}, {"signed", 32},
		{"long", 64}, {"long long", 64}, {"unsigned long long", 64}, {"_Bool", 1}, {"enum small", 32}, {"enum tiny", 8},
		{"a16", 32}, {"s8", 16}, {"low2", 64}, {"enum big", 64},
	}
	if g.bits32 {
		types[7].bits = 32
	}
	t := pick(g, types...)
	isEnum := strings.HasPrefix(t.name, "enum")
	if g.chance(12) && !isEnum {
		fmt.Fprintf(&g.text, "  %s : %d;\n", t.name, 1+g.IntN(t.bits))
		return nil
	}
	for range 1 + g.IntN(3) {
		width := 1 + g.IntN(t.bits)
		if g.chance(15) && t.bits >= 8 {
			width = 8 * (1 + g.IntN(t.bits/8)) // some are as wide as ordinary integers
		}
		switch {
		case g.chance(8) && !isEnum: // which cc takes for an enumeration with a type
			fmt.Fprintf(&g.text, "  %s : 0;\n", t.name)
		case g.chance(10) && !isEnum:
			fmt.Fprintf(&g.text, "  %s : %d;\n", t.name, width)
		default:
			attribute := ""
			if t.name != "char" && t.name != "unsigned char" || !g.chance(50) {
				attribute = g.attributes(8)
			}
			fmt.Fprintf(&g.text, "  %s m%d : %d%s;\n", t.name, g.next, width, attribute)
			list = append(list, layoutMember{path: fmt.Sprintf("m%d", g.next), bitField: true, isBool: t.name == "_Bool", integer: t.name != "enum tiny"})
			g.next++
		}
	}
	return list
}
