package cgen

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// This file generates programs that look at the bytes of objects: memory is read in another size, or at
// another offset, than it was written. They have unions, also by casts to them; pointers to bytes in
// integers and structs; memcpy and memset of parts; loops over bytes; bit-fields as bytes and as parts
// of the words around them; padding; tests and changes of the byte order. Like the programs of
// overlays.go they have one input from 0 to Inputs-1.

const bytesHead = `extern int input(void);
void *memcpy(void *, const void *, unsigned long);
void *memset(void *, int, unsigned long);
union U {
    unsigned long l;
    unsigned w[2];
    int i;
    short h[4];
    unsigned char b[8];
    struct { signed char c; unsigned char d; unsigned short e; unsigned f; } s;
    struct { unsigned x : 5; int y : 11; unsigned z : 20; } f;
};
struct B { unsigned a : 3; int b : 7; unsigned c : 12; unsigned char d; short e : 5; unsigned long g : 37; };
struct R { char c; int i; short h; long l; };
struct K { unsigned char c; int i; short h; unsigned l : 9; } __attribute__((packed));
static union U gu __attribute__((aligned(16))) = { 0x0123456789abcdef };
static struct B gb __attribute__((aligned(16))) = { 5, -3, 0xabc, 200, -7, 0x123456789 };
static struct R gr __attribute__((aligned(16))) = { 'r', 0x01020304, -2, 0x1122334455667788 };
static struct K gk __attribute__((aligned(16))) = { 1, -2, 3, 300 };
static unsigned char buf[16] __attribute__((aligned(16))) = { 1, 2, 3, 4, 250 };
static int gi = 0x7fff0080;
static int little(void) { int one = 1; return *(char *)&one; }
static unsigned get16(const void *p) { const unsigned char *b = p; return b[0] | b[1] << 8; }
static int same(const void *p, const void *q, int size) {
    for (int j = 0; j < size; j++)
        if (((const char *)p)[j] != ((const char *)q)[j]) return 0;
    return 1;
}
static void put16(void *p, unsigned v) { unsigned char *b = p; b[0] = v >> 8; b[1] = v; }
static void swap(void *p, int size) {
    for (int j = 0; j < size / 2; j++) {
        unsigned char *b = p, t = b[j];
        b[j] = b[size - 1 - j];
        b[size - 1 - j] = t;
    }
}
`

// viewed is an object whose bytes are looked at.
type viewed struct {
	name string
	size int
}

// views are the objects of bytesHead, and the local ones.
var views = []viewed{{"gu", 8}, {"gb", 16}, {"gr", 24}, {"gk", 9}, {"buf", 16}, {"gi", 4}, {"lu", 8}, {"lr", 24}, {"ll", 8}}

// viewTypes holds the types as which parts of objects are read and written.
var viewTypes = []struct {
	name string
	size int
}{
	{"unsigned char", 1}, {"signed char", 1}, {"unsigned char", 1}, {"short", 2}, {"unsigned short", 2},
	{"int", 4}, {"unsigned", 4}, {"long", 8}, {"unsigned long", 8},
}

// GenerateBytes returns the program that seed stands for.
func GenerateBytes(seed uint64) *Overlays {
	g := &byteViews{rng: rand.New(rand.NewPCG(seed, 0x62797465))}
	var b strings.Builder
	b.WriteString(bytesHead)
	fmt.Fprintf(&b, "int main(void) {\n    int n = input();\n    if (n < 0 || n >= %d) return 0;\n", Inputs)
	// Locals as well: an analysis may treat objects of the frame in another way than globals.
	b.WriteString("    union U lu __attribute__((aligned(16))) = { n };\n    struct R lr __attribute__((aligned(16)));\n" +
		"    long ll __attribute__((aligned(16))) = 0x0807060504030201 + n;\n    memset(&lr, n, sizeof lr);\n")
	g.statements(&b, 3+g.n(5), 1)
	// What is looked at is held by variables, as reads of misaligned parts are statements.
	o := &Overlays{}
	for k := range 4 {
		fmt.Fprintf(&b, "    long r%d = %s;\n", k, g.view())
		o.Probes = append(o.Probes, fmt.Sprintf("r%d", k))
	}
	b.WriteString("    $END\n    return 0;\n}\n")
	o.text = b.String()
	return o
}

// byteViews is the state of GenerateBytes.
type byteViews struct {
	rng *rand.Rand
}

// n returns a random number below k.
func (g *byteViews) n(k int) int { return g.rng.IntN(k) }

// place returns a place that has a name: a member, a bit-field, an element, or a variable. Reads
// and writes of it have the type of the object, and meet those by part and stretch.
func (g *byteViews) place() string {
	list := []string{
		"gu.l", "gu.w[1]", "gu.i", "gu.h[2]", "gu.b[" + g.index(8) + "]", "gu.s.c", "gu.s.e", "gu.s.f", "gu.f.x", "gu.f.y", "gu.f.z",
		"gb.a", "gb.b", "gb.c", "gb.d", "gb.e", "gb.g", "gr.c", "gr.i", "gr.h", "gr.l", "gk.c", "gk.i", "gk.h", "gk.l",
		"buf[" + g.index(16) + "]", "gi", "lu.l", "lu.w[0]", "lu.h[" + g.index(4) + "]", "lu.b[3]", "lu.f.y", "lu.s.d",
		"lr.c", "lr.i", "lr.h", "ll",
	}
	return list[g.n(len(list))]
}

// index returns an index below size, a power of two.
func (g *byteViews) index(size int) string {
	if g.n(2) == 0 {
		return fmt.Sprint(g.n(size))
	}
	return fmt.Sprintf("(n + %d) & %d", g.n(size), size-1)
}

// part returns a part of an object as a place of another type, at an aligned offset, which may
// depend on the input:
//
//	*(short *)((unsigned char *)&gr + 6)
//	*(int *)((unsigned char *)&gu + (unsigned)n % 2 * 4)
func (g *byteViews) part() string {
	for {
		typ, obj := viewTypes[g.n(len(viewTypes))], views[g.n(len(views))]
		places := obj.size / typ.size
		if places == 0 {
			continue
		}
		at := fmt.Sprint(g.n(places) * typ.size)
		// An analysis cannot tell which part it is: it must take all into account.
		if g.n(3) == 0 {
			at = fmt.Sprintf("(unsigned)n %% %d * %d", places, typ.size)
		}
		return fmt.Sprintf("*(%s *)((unsigned char *)&%s + %s)", typ.name, obj.name, at)
	}
}

// stretch returns a part of an object that has size bytes, as a pointer, wherever it starts: it may
// begin and end in the middle of members, and take in padding.
func (g *byteViews) stretch(size int) string {
	for {
		obj := views[g.n(len(views))]
		if obj.size >= size {
			return fmt.Sprintf("(unsigned char *)&%s + %d", obj.name, g.n(obj.size-size+1))
		}
	}
}

// view returns a value that has to do with bytes: a place, two bytes put together by get16, a
// comparison of bytes, a factor that is 1 on little-endian machines, a member of a cast to a union,
// or a part.
func (g *byteViews) view() string {
	switch g.n(9) {
	case 0, 1:
		return g.place()
	case 2:
		return "get16(" + g.stretch(2) + ")"
	case 3:
		return fmt.Sprintf("same(%s, %s, 2)", g.stretch(2), g.stretch(2))
	case 4:
		return "little() * " + g.place()
	case 5:
		return fmt.Sprintf("((union U)(unsigned long)%s).%s", g.part(), []string{"b[0]", "b[5]", "h[1]", "w[1]", "i", "s.c", "f.y", "f.z"}[g.n(8)])
	}
	return g.part()
}

// value returns an expression to be stored: the input, a constant with bits in all bytes or at the
// ends, a changed view, a shifted input, or a view.
func (g *byteViews) value() string {
	switch g.n(5) {
	case 0:
		return "n"
	case 1:
		return []string{"-1", "0x12345678", "0x80", "-2", "0xfedcba9876543210", "300"}[g.n(6)]
	case 2:
		return fmt.Sprintf("%s ^ %#x", g.view(), 1<<g.n(20))
	case 3:
		return fmt.Sprintf("n << %d", g.n(24))
	}
	return g.view()
}

// statements appends n statements to b, of these kinds: a write of a named place or of a part;
// memcpy through a buffer of bytes; memset; a union from a number; a loop that copies bytes in some
// order; swap and put16, which change the byte order; an addition; and an if, at the outermost
// level only.
func (g *byteViews) statements(b *strings.Builder, n, depth int) {
	indent := strings.Repeat("    ", depth)
	for range n {
		// Sizes of integers, and others.
		size := []int{1, 2, 3, 4, 5, 8}[g.n(6)]
		b.WriteString(indent)
		switch k := g.n(16); {
		case k < 4:
			fmt.Fprintf(b, "%s = %s;\n", g.place(), g.value())
		case k < 7:
			fmt.Fprintf(b, "%s = %s;\n", g.part(), g.value())
		case k < 9: // of some other object, or of other bytes of this one
			fmt.Fprintf(b, "{ unsigned char t[8]; memcpy(t, %s, %d); memcpy(%s, t, %d); }\n", g.stretch(size), size, g.stretch(size), size)
		case k < 10:
			fmt.Fprintf(b, "memset(%s, %s, %d);\n", g.stretch(size), []string{"0", "n", "0x81", "-1"}[g.n(4)], size)
		case k < 11:
			fmt.Fprintf(b, "%s = (union U)(unsigned long)(%s);\n", []string{"gu", "lu"}[g.n(2)], g.value())
		case k < 12:
			fmt.Fprintf(b, "for (int j = 0; j < %d; j++) (%s)[j] = ((unsigned char *)&%s)[%s];\n", size, g.stretch(size), []string{"ll", "gu", "buf"}[g.n(3)], []string{"j", "7 - j", "j ^ 1"}[g.n(3)])
		case k < 13:
			fmt.Fprintf(b, "swap(%s, %d);\n", g.stretch(size), size)
		case k < 14:
			fmt.Fprintf(b, "put16(%s, %s);\n", g.stretch(2), g.value())
		case depth > 1:
			fmt.Fprintf(b, "%s += %d;\n", []string{"buf[2]", "gu.b[1]", "lu.h[0]", "gb.c", "gk.l"}[g.n(5)], 1+g.n(200))
		default:
			fmt.Fprintf(b, "if (%s %s %s) {\n", g.view(), []string{"==", "!=", "<"}[g.n(3)], []string{"n", "0", "1", "200"}[g.n(4)])
			g.statements(b, 1+g.n(2), depth+1)
			b.WriteString(indent + "}\n")
		}
	}
}
