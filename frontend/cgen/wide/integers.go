package wide

import "regexp"

// This file generates parts that take pointers through integers: computed, found by comparison, rebuilt.

var letters = regexp.MustCompile(`\b[A-Z]\b`)

// integers take P to Q by way of integers, as carriers do by other types.
//
//	unsigned long d = (unsigned long)p ^ 0x5a5a;
//	int *q = (int *)(d ^ 0x5a5a);
//
// An analysis loses Q where it does not know that arithmetic brings the address back, or where it
// takes a number that is only compared with an address for no pointer.
var integers = class{"integers", []form{
	// Arithmetic and bit operations that are undone.
	carrier("identity", `long D = (long)P; int *Q = (int *)D;`),
	carrier("sum", `unsigned long D = (unsigned long)P + 24; D -= 8; int *Q = (int *)(D - 16);`),
	carrier("xor-constant", `unsigned long D = (unsigned long)P ^ 0x5a5aul; int *Q = (int *)(D ^ 0x5a5aul);`),
	carrier("not", `unsigned long D = ~(unsigned long)P; int *Q = (int *)~D;`),
	carrier("product", `unsigned long D = (unsigned long)P * 3; int *Q = (int *)(D / 3);`),
	// The address in pieces: words, bytes and bits, put together again.
	carrier("halves", `unsigned D = (unsigned)(unsigned long)P, E = (unsigned)((unsigned long)P >> 32); int *Q = (int *)((unsigned long)E << 32 | D);`),
	carrier("low-and-rest", `unsigned long D = (unsigned long)P & 0xfff, E = (unsigned long)P & ~0xffful; int *Q = (int *)(D + E);`),
	carrier("bytes", `unsigned char D[8]; unsigned long E = 0; for (int k = 0; k < 8; k++) D[k] = (unsigned char)((unsigned long)P >> 8 * k); for (int k = 0; k < 8; k++) E |= (unsigned long)D[k] << 8 * k; int *Q = (int *)E;`),
	carrier("bits", `unsigned long D = (unsigned long)P, E = 0; for (int k = 0; k < 64; k++) if (D >> k & 1) E |= 1ul << k; int *Q = (int *)E;`),
	carrier("bits-table", `unsigned long D = (unsigned long)P, E = 0; static const unsigned long V[2] = { 0, 1 }; for (int k = 0; k < 64; k++) E |= V[D >> k & 1] << k; int *Q = (int *)E;`),
	// Low bits as tags: the address of an int has none set.
	carrier("tag", `unsigned long D = (unsigned long)P | 1; if (!(D & 1)) return 0; int *Q = (int *)(D & ~1ul);`),
	carrier("tag-pointer", `int *D = (int *)((char *)P + 2); int *Q = (int *)((unsigned long)D & ~3ul);`),
	// The address as text.
	carrier("sprintf", `char D[32]; sprintf(D, "%lu", (unsigned long)P); int *Q = (int *)strtoul(D, 0, 10);`, "stdio.h", "stdlib.h"),
	carrier("sscanf", `char D[32]; void *E = 0; sprintf(D, "%p", (void *)P); sscanf(D, "%p", &E); int *Q = E;`, "stdio.h"),
	// A number from outside that is found to be the address by comparisons: GUESS(e) is e in
	// the runs, and any number in the program that is audited.
	carrier("guess", `long D = GUESS((long)P); if (D != (long)P) return 0; int *Q = (int *)D;`),
	carrier("guess-pointer", `int *D = (int *)GUESS((long)P); if (D != P) return 0; int *Q = D;`),
	carrier("guess-difference", `long D = GUESS((long)P); if (D - (long)P) return 0; int *Q = (int *)D;`),
	carrier("guess-order", `long D = GUESS((long)P); if (D < (long)P || D > (long)P) return 0; int *Q = (int *)D;`),
	carrier("guess-xor", `long D = GUESS((long)P), E = D ^ (long)P; if (E) return 0; int *Q = (int *)D;`),
	carrier("guess-twice", `long D = GUESS((long)P), E = D; if ((unsigned)E != (unsigned)(long)P || E >> 32 != (long)P >> 32) return 0; int *Q = (int *)D;`),
	// The address of an object plus the offset of its member, as container_of has it.
	carrier("member", `struct { char c; int *p; } D = { 1, P }; unsigned long E = (unsigned long)&D; int *Q = *(int **)(E + sizeof(int *));`),
	carrier("container", `struct { long n; int *p; char c; } D = { 1, P, 2 }; char *E = &D.c; int *Q = *(int **)(E - sizeof(int *));`),
	// The test for error pointers, in the last page of memory.
	carrier("errors", `int *D = IN0 == 2 ? (int *)-12L : P; int *Q = P; if ((unsigned long)D < -4095ul) Q = D;`),
	// Bits of the address as an index of a table.
	carrier("hash", `int *D[4] = { 0 }; unsigned E = (unsigned)((unsigned long)P >> 4) & 3; D[E] = P; int *Q = D[(unsigned)((unsigned long)P >> 4) & 3];`),
	// Pointers in memory of integers.
	carrier("array-of-integers", `unsigned long D[3] = { 1, (unsigned long)P, 3 }; int *Q = (int *)D[1];`),
	carrier("memory-of-integers", `unsigned long D = 0; *(int **)&D = P; int *Q = (int *)D;`),
	// The number comes from one of two branches.
	carrier("switched", `long D = 0; switch (IN1) { case 0: D = (long)P; break; default: D = (long)P + IN1; D -= IN1; } int *Q = (int *)D;`),
	// Two addresses in one number: one of them gives back the other.
	{"xor-list", func(g *generator) {
		x, y := g.some(), g.object()
		d, q := g.fresh("d"), g.fresh("q")
		g.line("unsigned long %s = (unsigned long)%s ^ (unsigned long)%s;", d, x.address(), y.address())
		g.line("int *%s = (int *)(%s ^ (unsigned long)%s);", q, d, y.address())
		g.through(x.address(), q, []object{x, y})
	}},
	// The number is in a global variable.
	{"global", func(g *generator) {
		d := g.global("d")
		g.decl("static unsigned long %s;", d)
		g.carry(d + ` = (unsigned long)P; int *Q = (int *)` + d + `;`)
	}},
	// The number is passed on, recursively, with an offset that is taken away after the call.
	{"call", func(g *generator) {
		f := g.global("f")
		g.decl("static unsigned long %s(unsigned long d, int n) { return n ? %s(d + 4, n - 1) - 4 : d; }", f, f)
		g.carry(`int *Q = (int *)` + f + `((unsigned long)P, IN0 & 1);`)
	}},
	{"narrow", func(g *generator) { // an integer that is too narrow is no pointer
		x := g.some()
		r := g.fresh("r")
		g.line("int %s = ((unsigned long)%s & 3) == 0;", r, x.address())
		g.observe("%s", r)
	}},
	// No object has an address in the first page, or in the last one.
	{"low-page", func(g *generator) {
		x := g.some()
		r := g.fresh("r")
		g.line("int %s = %s;", r, lowTests(g, x.address()))
		g.observe("%s", r)
	}},
}}

// lowTests returns tests of an address that no object has.
func lowTests(g *generator, a string) string {
	return pick(g, "(long)"+a+" != 5", "(unsigned long)"+a+" > 4095", a+" != (int *)16", "(long)"+a+" != ("+g.inputs[0]+" & 1)",
		"(unsigned long)"+a+" < -4095ul", a+" != 0")
}
