package cgen

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// This file generates programs whose memory is read and written in many ways: through arrays of structs
// at constant and other indices, structs that are passed, returned and copied, and places of one type
// written as another one, among them types whose values are not represented. A program has one input,
// from 0 to Inputs-1, so that all its runs can be enumerated.

// Inputs is how many inputs a program of [GenerateOverlays] tells apart.
const Inputs = 6

// Overlays is a program, and expressions whose values at its end can be observed.
type Overlays struct {
	text   string
	Probes []string // expressions of integer type
}

// Text returns the program with statements at its end. It calls int input(void).
func (o *Overlays) Text(end string) string { return strings.Replace(o.text, "$END", end, 1) }

const overlayHead = `extern int input(void);
struct S { int i; int a[3]; };
struct T { short h; signed char c; int b; struct S s; struct S *n; };
int gi = 1;
int t[4] __attribute__((aligned(16))) = { 1, 2, 3, 4 };
struct S gs __attribute__((aligned(16))) = { 1, { 2 } }, sa[3] __attribute__((aligned(16)));
struct T gt __attribute__((aligned(16))) = { 1, 2, 3 };
long la[4] __attribute__((aligned(16))) = { 5, 6 };
unsigned char bytes[16] __attribute__((aligned(16)));
struct P { char c; int i; short h; } __attribute__((packed)) pk = { 1, 2, 3 };
int *gp = &gi;
struct S *sp = &sa[1];
`

// overlayTypes holds the types as which places are written.
var overlayTypes = []struct {
	name  string
	align int
	size  int
	value bool // it takes an integer as its value
}{
	{"float", 4, 4, true}, {"double", 8, 8, true}, {"_Complex float", 4, 8, true}, {"_Complex double", 8, 16, true},
	{"long double", 16, 16, true}, {"__int128", 16, 16, true}, {"long", 8, 8, true}, {"short", 2, 2, true},
	{"unsigned char", 1, 1, true}, {"int", 4, 4, true}, {"struct S", 4, 16, false},
}

// overlaid are the objects, with their sizes.
var overlaid = []struct {
	name string
	size int
}{{"t", 16}, {"&gs", 16}, {"sa", 48}, {"&gt", 24}, {"la", 32}, {"bytes", 16}}

// GenerateOverlays returns the program that seed stands for.
func GenerateOverlays(seed uint64) *Overlays {
	g := &overlays{rng: rand.New(rand.NewPCG(seed, 0x6f766572))}
	var b strings.Builder
	b.WriteString(overlayHead)
	b.WriteString("static struct S mk(struct S s, int v) {\n")
	// The body of mk, where s and v are in scope.
	g.inCallee = true
	g.statements(&b, 1+g.n(3), 1)
	b.WriteString("    return s;\n}\nstatic void put(struct S *s, int v) {\n    " +
		[]string{"s->i = v;", "s->a[v & 1] = v;", "*s = gs;", "s->a[1] += 1;"}[g.n(4)] + "\n}\n")
	g.inCallee = false
	fmt.Fprintf(&b, "int main(void) {\n    int n = input();\n    if (n < 0 || n >= %d) return 0;\n    struct S ls = { %d };\n", Inputs, g.n(4))
	g.statements(&b, 3+g.n(6), 1)
	b.WriteString("    $END\n    return 0;\n}\n")
	o := &Overlays{text: b.String()}
	for range 6 {
		o.Probes = append(o.Probes, "(long)("+g.place(true)+")")
	}
	return o
}

// overlays is the state of GenerateOverlays.
type overlays struct {
	rng      *rand.Rand
	inCallee bool
}

// n returns a random number below k.
func (g *overlays) n(k int) int { return g.rng.IntN(k) }

// index returns an index below size, a number if known; otherwise perhaps one that depends on a
// variable, so that an analysis has to take all elements into account.
func (g *overlays) index(size int, known bool) string {
	if known || g.n(2) == 0 {
		return fmt.Sprint(g.n(size))
	}
	return fmt.Sprintf("(unsigned)%s %% %d", g.simple(), size)
}

// simple returns a value that needs no parentheses.
func (g *overlays) simple() string {
	in := "n"
	if g.inCallee {
		in = "v"
	}
	return []string{in, in, "gi", "*gp", "gs.i", fmt.Sprint(g.n(5))}[g.n(6)]
}

// place returns a place of integer type.
func (g *overlays) place(known bool) string {
	index := func(size int) string { return g.index(size, known) }
	list := []string{
		"gi", "gs.i", "*gp", "gt.b", "gt.h", "gt.c", "pk.i", "pk.h", "sp->i", "gt.s.i",
		"t[" + index(4) + "]", "sa[" + index(3) + "].i", "sa[" + index(3) + "].a[" + index(3) + "]",
		"gs.a[" + index(3) + "]", "gt.s.a[" + index(3) + "]", "la[" + index(4) + "]", "bytes[" + index(16) + "]",
		"sp->a[" + index(3) + "]", "gp[0]",
	}
	if g.inCallee {
		list = append(list, "s.i", "s.a["+index(3)+"]", "s.a["+index(3)+"]")
	} else {
		list = append(list, "ls.i", "ls.a["+index(3)+"]")
	}
	return list[g.n(len(list))]
}

// whole returns a place of type struct S.
func (g *overlays) whole() string {
	local := "ls"
	if g.inCallee {
		local = "s"
	}
	return []string{"gs", "*sp", local, "gt.s", "sa[" + g.index(3, false) + "]"}[g.n(5)]
}

// overlay returns a place in an object, as some other type:
//
//	*(double *)((char *)sa + 8)
//
// value reports whether it takes a number; otherwise it takes a struct S. Of float and the like the
// value is not represented, so an analysis must forget all that the place covers.
func (g *overlays) overlay() (text string, value bool) {
	typ := overlayTypes[g.n(len(overlayTypes))]
	obj := overlaid[g.n(len(overlaid))]
	// The offset is aligned for the type, and the place lies inside the object.
	last := (obj.size - typ.size) / typ.align
	at := fmt.Sprint(typ.align * g.n(last+1))
	if g.n(3) == 0 {
		at = fmt.Sprintf("(unsigned)%s %% %d * %d", g.simple(), last+1, typ.align)
	}
	return fmt.Sprintf("*(%s *)((char *)%s + %s)", typ.name, obj.name, at), typ.value
}

// value returns an expression to be stored.
func (g *overlays) value() string {
	switch g.n(4) {
	case 0:
		return g.place(false)
	case 1:
		return g.place(false) + fmt.Sprintf(" + %d", g.n(3))
	}
	return g.simple()
}

// statements appends n statements to b: writes of places, of overlays and of whole structs,
// pointers to other objects, ifs at the outermost level, and calls that get, return or change
// structs.
func (g *overlays) statements(b *strings.Builder, n, depth int) {
	for range n {
		b.WriteString(strings.Repeat("    ", depth))
		switch k := g.n(14); {
		case k < 4:
			fmt.Fprintf(b, "%s = %s;\n", g.place(false), g.value())
		case k < 7:
			place, value := g.overlay()
			if value {
				fmt.Fprintf(b, "%s = %s;\n", place, g.simple())
			} else {
				fmt.Fprintf(b, "%s = %s;\n", place, g.whole())
			}
		case k < 8:
			fmt.Fprintf(b, "%s = %s;\n", g.whole(), g.whole())
		case k < 9:
			fmt.Fprintf(b, "%s = &%s;\n", "sp", []string{"gs", "sa[" + g.index(3, false) + "]", "gt.s"}[g.n(3)])
		case k < 10:
			fmt.Fprintf(b, "gp = &%s;\n", []string{"gi", "t[" + g.index(4, false) + "]", "gs.a[1]", "sa[" + g.index(3, false) + "].i"}[g.n(4)])
		case k < 12 && depth == 1:
			fmt.Fprintf(b, "if (%s %s %d) {\n", g.place(false), []string{"==", "!=", "<"}[g.n(3)], g.n(4))
			g.statements(b, 1+g.n(2), depth+1)
			b.WriteString(strings.Repeat("    ", depth) + "}\n")
		case g.inCallee:
			fmt.Fprintf(b, "s.a[(unsigned)v %% 3]++;\n")
		case k < 13:
			fmt.Fprintf(b, "%s = mk(%s, %s);\n", g.whole(), g.whole(), g.value())
		default:
			fmt.Fprintf(b, "put(&%s, %s);\n", g.whole(), g.simple())
		}
	}
}
