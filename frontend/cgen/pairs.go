package cgen

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// This file generates pairs of programs: a driver, all of whose pointers come from functions
// that it does not define, and an environment that defines these. The environment keeps objects of its
// own and those that it is given, and returns null, error pointers, the objects, their members, elements
// and containers: always places of the requested type. An analysis of the driver alone must not exclude
// a failure of the driver together with such an environment.
//
// The objects of the environment contain each other as C's types nest:
//
//	struct box ── union u ── struct in        in four other ways, too
//	     │  └──── struct in arr[3]
//	     └─────── struct dev ── struct in, struct list, int

// Pair is a driver and an environment for it, two C files.
type Pair struct {
	Driver, Env string
}

const pairTypes = `struct list { struct list *next, *prev; };
struct in { int a, b; };
struct priv { long x; int y; short z; };
struct dev { int id; struct in in; struct list l; void *priv; struct dev *peer; int *count; };
union u { struct in in; long n; struct { short s, t, v; } h; };
struct box { int k; union u u; struct in arr[3]; struct box *next; struct dev dev; };
extern struct dev *get_dev(void);
extern struct box *get_box(void);
extern struct in *get_in(void);
extern int *get_int(void);
extern short *get_short(void);
extern struct list *get_list(void);
extern union u *get_u(void);
extern struct priv *get_priv(void);
extern void *get_any(void);
extern long get_num(void);
extern void give_dev(struct dev *);
extern void give_box(struct box *);
extern void give_int(int *);
extern void touch(struct dev *);
extern void __VERIFIER_assert(int);
extern void *memcpy(void *, const void *, unsigned long);
extern void *malloc(unsigned long);
extern void *memset(void *, int, unsigned long);
#define OK(p) ((p) && (unsigned long)(p) < (unsigned long)-4095L)
#ifndef UNSET
#define UNSET(object)
#endif
#define OF(type, p, member) ((type *)((char *)(p) - __builtin_offsetof(type, member)))
`

// pairGenerator makes one driver.
type pairGenerator struct {
	rng   *rand.Rand
	out   strings.Builder
	boxed bool // every dev is in a box
	raw   bool // what is behind a void pointer has no type of its own
	unset bool // some objects are the driver's own, and nothing initialises them
	laid  bool // the driver lays types over each other
	known map[string]knowledge
}

// knowledge is the driver's knowledge about one of its pointers.
type knowledge int

const (
	isNull knowledge = iota
	isSet
	isValid // it has been looked at
)

// GeneratePair makes a driver and an environment of a seed.
func GeneratePair(seed uint64) Pair {
	g := &pairGenerator{rng: rand.New(rand.NewPCG(seed, 0x7061_6972)), known: map[string]knowledge{}}
	return g.pair()
}

// GenerateUnsetPair returns a pair in which a local variable and an allocated object are not initialised,
// and the driver reads them like the pointers that it gets. In a run they hold values that the
// environment has put there: UNSET is empty for an analysis of the driver alone.
func GenerateUnsetPair(seed uint64) Pair {
	g := &pairGenerator{rng: rand.New(rand.NewPCG(seed, 0x756e_7365)), known: map[string]knowledge{"du": isValid, "bu": isValid}, unset: true}
	return g.pair()
}

// GenerateLaidPair returns a pair whose driver takes objects for objects of types that do not nest so, at several
// distances. Its environment knows nothing of that.
func GenerateLaidPair(seed uint64) Pair {
	g := &pairGenerator{rng: rand.New(rand.NewPCG(seed, 0x6c61_6964)), known: map[string]knowledge{}, laid: true}
	return g.pair()
}

// pair generates a driver of declarations, five to twelve statements and one or two checks, and the
// environment with the flags of the driver.
func (g *pairGenerator) pair() Pair {
	// Rules of the environment, which gets them as BOXED and RAW.
	g.boxed, g.raw = g.rng.IntN(3) == 0 && !g.unset, g.rng.IntN(4) == 0
	g.out.WriteString(pairTypes)
	g.out.WriteString(`static struct dev gd;
static struct box gb;
static int gi;
static void *kept;
static void *same(void *p) { return p; }
static void put(int *p, int v) { if (OK(p)) *p = v; }
static void mark(struct dev *d) { if (OK(d)) d->id = 77; }
int main(void)
{
    struct dev *d0 = 0, *d1 = 0, *d2 = 0;
    struct box *b0 = 0, *b1 = 0;
    struct in *i0 = 0, *i1 = 0;
    struct priv *p0 = 0, *p1 = 0;
    struct list *l0 = 0;
    union u *u0 = 0;
    int *n0 = 0, *n1 = 0;
    short *s0 = 0;
    void *v = 0;
    long num = 0;
`)
	if g.unset {
		g.out.WriteString(`    struct dev own, *du = &own;
    struct box *bu = malloc(sizeof *bu);
    if (!bu)
        return 0;
    UNSET(own);
    UNSET(*bu);
`)
	}
	// Statements get pointers and relate them; checks compare two of them.
	for range 5 + g.rng.IntN(8) {
		g.statement()
	}
	for range 1 + g.rng.IntN(2) {
		g.check()
	}
	g.out.WriteString("    return 0;\n}\n")
	flags := fmt.Sprintf("#define BOXED %d\n#define RAW %d\n", btoi(g.boxed), btoi(g.raw))
	return Pair{Driver: g.out.String(), Env: pairTypes + flags + pairEnv}
}

// btoi returns 1 or 0, for #define.
func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// pick chooses one of list.
func (g *pairGenerator) pick(list ...string) string { return list[g.rng.IntN(len(list))] }

// have returns a pointer of list that is known to be valid; if there is none, the driver asks for one
// first, and the run ends if it gets none.
func (g *pairGenerator) have(list ...string) string {
	// 1. Get it, if it is null so far. 2. Test it, if that has not been done since.
	p := g.pick(list...)
	if g.known[p] == isNull {
		g.fetch(p)
	}
	if g.known[p] == isSet {
		fmt.Fprintf(&g.out, "    if (!OK(%s))\n        return 0;\n", p)
		g.known[p] = isValid
	}
	return p
}

// set assigns e to the pointer p.
func (g *pairGenerator) set(p, e string) {
	fmt.Fprintf(&g.out, "    %s = %s;\n", p, e)
	g.known[p] = isSet
}

// fetch gets the pointer p from the environment, or from an object that is not initialised.
func (g *pairGenerator) fetch(p string) {
	from := map[byte][]string{
		'd': {"du->peer", "bu->dev.peer"}, 'b': {"bu->next"}, 'p': {"du->priv", "bu->dev.priv"},
		'l': {"du->l.next", "bu->dev.l.prev"}, 'n': {"du->count", "bu->dev.count"},
	}[p[0]]
	if g.unset && from != nil && g.rng.IntN(2) == 0 {
		g.set(p, g.pick(from...))
		return
	}
	g.set(p, map[byte]string{
		'd': "get_dev()", 'b': "get_box()", 'i': "get_in()", 'p': "get_priv()", 'l': "get_list()", 'u': "get_u()",
		'n': "get_int()", 's': "get_short()", 'v': "get_any()",
	}[p[0]])
}

// dev returns a pointer to a dev that is known to be valid: so do box, in and priv for theirs.
func (g *pairGenerator) dev() string {
	if g.unset && g.rng.IntN(2) == 0 {
		return "du"
	}
	return g.have("d0", "d1", "d2")
}

// box returns a valid pointer to a box.
func (g *pairGenerator) box() string {
	if g.unset && g.rng.IntN(2) == 0 {
		return "bu"
	}
	return g.have("b0", "b1")
}

func (g *pairGenerator) in() string   { return g.have("i0", "i1") }
func (g *pairGenerator) priv() string { return g.have("p0", "p1") }

// statement makes a statement that gets a pointer, or that changes something: from the environment;
// from a member, as the address of a member or element; as the container of a list or dev; by way
// of void pointers, memory, numbers, bytes and calls; as another type; by giving objects away; or
// it links, copies and writes objects. Each is a way by which two pointers of the driver can come
// to mean one place.
func (g *pairGenerator) statement() {
	if g.laid && g.rng.IntN(3) == 0 {
		g.lay()
		return
	}
	switch g.rng.IntN(23) {
	case 0, 1, 2:
		// From the environment.
		g.fetch(g.pick("d0", "d1", "d2", "b0", "b1", "i0", "i1", "n0", "n1", "s0", "u0", "p0", "l0"))
	case 3:
		// The peer of a dev, which the environment has set, or the dev inside a box.
		g.set(g.pick("d0", "d1", "d2"), g.pick(g.dev()+"->peer", "&"+g.box()+"->dev"))
	case 4:
		// The next box may be the same one.
		g.set(g.pick("b0", "b1"), g.box()+"->next")
	case 5:
		// A struct in may be in a dev, in a union, or in an array.
		g.set(g.pick("i0", "i1"), g.pick("&"+g.dev()+"->in", "&"+g.box()+"->u.in", fmt.Sprintf("&%s->arr[%d]", g.box(), g.rng.IntN(3))))
	case 6:
		// An int may be a member of any struct, or one that a dev points to.
		g.set(g.pick("n0", "n1"), g.pick(g.dev()+"->count", "&"+g.dev()+"->id", "&"+g.in()+"->b", "&"+g.box()+"->k"))
	case 7:
		// Nodes of lists are members of devs.
		g.set("l0", g.pick("&"+g.dev()+"->l", g.dev()+"->l.next", g.dev()+"->l.prev", g.have("l0")+"->next"))
	case 8:
		g.set("u0", "&"+g.box()+"->u")
	case 9:
		// A short in a union or in private data.
		g.set("s0", g.pick("&"+g.have("u0")+"->h.t", "&"+g.priv()+"->z"))
	case 10: // the container of a list
		g.set(g.pick("d0", "d1", "d2"), "OF(struct dev, "+g.have("l0")+", l)")
	case 11:
		// Only if every dev is in a box: otherwise there may be no container.
		if g.boxed {
			g.set(g.pick("b0", "b1"), "OF(struct box, "+g.dev()+", dev)")
		}
	case 12: // through void pointers, memory, numbers, bytes, calls
		d := g.dev()
		switch g.rng.IntN(5) {
		case 0:
			g.out.WriteString("    kept = " + d + ";\n")
			g.set(g.pick("d0", "d1", "d2"), "kept")
		case 1:
			g.out.WriteString("    num = (long)" + d + ";\n")
			g.set(g.pick("d0", "d1", "d2"), "(struct dev *)num")
		case 2:
			to := g.pick("d0", "d1", "d2")
			fmt.Fprintf(&g.out, "    memcpy(&%s, &%s, sizeof %s);\n", to, d, to)
			g.known[to] = g.known[d]
		case 3:
			g.set(g.pick("d0", "d1", "d2"), "same("+d+")")
		default:
			g.set(g.pick("d0", "d1", "d2"), "(struct dev *)get_num()")
		}
	case 13:
		// A void pointer gets a type.
		g.set(g.pick("p0", "p1"), g.dev()+"->priv")
	case 14: // one pointer as two types
		switch g.rng.IntN(4) {
		case 0:
			// Only if the environment's private data are raw memory: a struct in may be
			// there, too.
			if g.raw {
				g.set(g.pick("i0", "i1"), g.dev()+"->priv")
			}
		case 1:
			// Its member a is id, its member b the first one of the struct in after id.
			g.set(g.pick("i0", "i1"), "(struct in *)&"+g.dev()+"->id")
		case 2:
			// Its members are the halves of x.
			g.set(g.pick("i0", "i1"), "(struct in *)"+g.priv())
		default:
			d := g.dev()
			g.out.WriteString("    kept = " + d + ";\n")
			g.set(g.pick("p0", "p1"), "kept")
		}
	case 15:
		g.give()
	case 16:
		fmt.Fprintf(&g.out, "    touch(%s);\n", g.dev())
	case 17:
		// Link two devs, or give one private data.
		a, b := g.dev(), g.dev()
		switch g.rng.IntN(3) {
		case 0:
			fmt.Fprintf(&g.out, "    %s->peer = %s;\n", a, b)
		case 1:
			fmt.Fprintf(&g.out, "    %s->priv = %s;\n", a, g.priv())
		default:
			fmt.Fprintf(&g.out, "    %s->l.next = &%s->l;\n", a, b)
		}
	case 18:
		// A whole box is copied, its inner objects among them.
		if b, c := g.box(), g.box(); b != c {
			fmt.Fprintf(&g.out, "    *%s = *%s;\n", b, c)
		}
	case 19:
		fmt.Fprintf(&g.out, "    %s = %d;\n", g.place(), g.rng.IntN(5))
	case 20:
		// A write in a function of the driver.
		n := g.have("n0", "n1")
		fmt.Fprintf(&g.out, "    put(%s, %d);\n", n, g.rng.IntN(5))
	case 21:
		g.bytes()
	default:
		fmt.Fprintf(&g.out, "    mark(%s);\n", g.dev())
	}
}

// lay takes an object for one of another type, which begins some bytes before or after it.
func (g *pairGenerator) lay() {
	at := func(typ, p string, off int) string { return fmt.Sprintf("(%s *)((char *)%s + %d)", typ, p, off) }
	i, p := g.pick("i0", "i1"), g.pick("p0", "p1")
	switch g.rng.IntN(8) {
	case 0:
		g.set(i, at("struct in", g.priv(), g.rng.IntN(3)*4)) // over x, over y and z
	case 1:
		g.set(p, at("struct priv", g.in(), -8))
	case 2:
		g.set(p, at("struct priv", g.box(), g.pick8())) // over k and the union, over the union and an array
	case 3:
		g.set(p, at("struct priv", g.dev(), g.pick8()))
	case 4:
		g.set("u0", at("union u", g.priv(), 8))
	case 5:
		g.set(g.pick("n0", "n1"), at("int", g.priv(), 4)) // half of x
	case 6:
		g.set(i, fmt.Sprintf("(struct in *)%s->arr + 3", g.box())) // past an array
	default:
		g.set(i, fmt.Sprintf("(struct in *)((char *)%s + 8 * (get_num() & 1))", g.priv()))
	}
}

// pick8 returns 0 or 8.
func (g *pairGenerator) pick8() int { return 8 * g.rng.IntN(2) }

// bytes clears the pointee of a pointer, or a part of it, byte by byte.
func (g *pairGenerator) bytes() {
	var p string
	switch g.rng.IntN(6) {
	case 0:
		p = g.in()
	case 1:
		p = "&" + g.in() + "->b"
	case 2:
		p = g.priv()
	case 3:
		p = "&" + g.dev() + "->in"
	case 4:
		p = "&" + g.box() + "->u"
	default:
		p = g.have("n0", "n1")
	}
	fmt.Fprintf(&g.out, "    memset(%s, 0, %s);\n", p, g.pick("4", "sizeof *("+p+")"))
}

// give gives an object of the driver away, and may keep a pointer to it.
func (g *pairGenerator) give() {
	switch k := g.rng.IntN(4); {
	case k == 0 && !g.boxed:
		g.out.WriteString("    give_dev(&gd);\n")
	case k == 1:
		g.out.WriteString("    give_box(&gb);\n")
	case k == 2:
		g.out.WriteString("    give_int(&gi);\n")
	default:
		g.set("b0", "malloc(sizeof *b0)")
		b := g.have("b0")
		fmt.Fprintf(&g.out, "    give_box(%s);\n", b)
	}
}

// place returns a number somewhere.
func (g *pairGenerator) place() string {
	switch g.rng.IntN(14) {
	case 0, 1:
		return g.dev() + "->id"
	case 2:
		return g.dev() + "->in." + g.pick("a", "b")
	case 3:
		return g.box() + "->k"
	case 4:
		return g.box() + "->u." + g.pick("in.a", "in.b", "n", "h.s", "h.t", "h.v")
	case 5:
		return fmt.Sprintf("%s->arr[%d].%s", g.box(), g.rng.IntN(3), g.pick("a", "b"))
	case 6, 7:
		return g.in() + "->" + g.pick("a", "b")
	case 8:
		return "*" + g.have("n0", "n1")
	case 9:
		return "*" + g.have("s0")
	case 10:
		return g.have("u0") + "->" + g.pick("in.a", "n", "h.t")
	case 11:
		return g.priv() + "->" + g.pick("x", "y", "z")
	case 12:
		return g.pick("gd.id", "gd.in.b", "gb.k", "gb.arr[1].a", "gb.u.n", "gb.dev.id")
	default:
		return "gi"
	}
}

// check stores in one place, does something, and expects the place to be as before. The assertion
// fails in a run in which the two places are one. An analysis that takes them for different, by
// their types or by the names of the functions they come from, proves an assertion that fails:
//
//	d0->in.a = 11; i0->a = 12; __VERIFIER_assert(d0->in.a == 11);
func (g *pairGenerator) check() {
	if g.rng.IntN(3) == 0 {
		g.give()
	}
	// Two places, mostly by different ways; then 11 into the first one.
	a, b := g.place(), g.place()
	for range 3 { // a number of the same size is likelier to be the same one
		if a != b {
			break
		}
		b = g.place()
	}
	fmt.Fprintf(&g.out, "    %s = 11;\n", a)
	// Write through a pointer that has just come from the environment, in a function, by
	// memset, or directly.
	switch g.rng.IntN(7) {
	case 2:
		g.bytes()
	case 0:
		n := g.pick("n0", "n1")
		g.fetch(n)
		fmt.Fprintf(&g.out, "    put(%s, 12);\n", n)
	case 1:
		d := g.dev()
		fmt.Fprintf(&g.out, "    %s(%s);\n", g.pick("mark", "touch"), d)
	default:
		fmt.Fprintf(&g.out, "    %s = 12;\n", b)
	}
	fmt.Fprintf(&g.out, "    __VERIFIER_assert(%s == 11);\n", a)
}

// pairEnv is the environment. It chooses by a sequence of numbers that begins with the seed of
// the run; each run is a process of its own.
const pairEnv = `
extern int printf(const char *, ...), fork(void), wait(int *);
extern void exit(int), _exit(int);
static unsigned long state;
static unsigned below(unsigned n) { state = state * 6364136223846793005UL + 1442695040888963407UL; return (state >> 33) % n; }
static struct dev devs[2];
static struct box boxes[2], *given_box[8];
static struct in ins[2];
static struct priv privs[2];
static union u us[2];
static int ints[2], *given_int[8];
static short shorts[2];
static long raws[2][8];
static struct dev *given_dev[8];
static int n_dev, n_box, n_int;
static void *odd(void) { return below(3) ? 0 : (void *)-(long)(1 + below(4095)); }
static struct box *box(void)
{
    unsigned k = below(2 + n_box);
    return k < 2 ? &boxes[k] : given_box[k - 2];
}
static struct dev *dev(void)
{
    if (BOXED || below(2)) return &box()->dev;
    unsigned k = below(2 + n_dev);
    return k < 2 ? &devs[k] : given_dev[k - 2];
}
static struct list *list(void) { return &dev()->l; }
static union u *un(void) { return below(2) ? &us[below(2)] : &box()->u; }
static struct in *in(void)
{
    switch (below(4)) {
    case 0: return &ins[below(2)];
    case 1: return &dev()->in;
    case 2: return &un()->in;
    default: return &box()->arr[below(3)];
    }
}
static int *integer(void)
{
    switch (below(5)) {
    case 0: return &ints[below(2)];
    case 1: return below(2) ? &in()->a : &in()->b;
    case 2: return &dev()->id;
    case 3: return &box()->k;
    default: return n_int ? given_int[below(n_int)] : &ints[0];
    }
}
static void *priv(void) { return RAW ? (void *)raws[below(2)] : (void *)&privs[below(2)]; }
static void fill(struct dev *d)
{
    d->id = below(4), d->in.a = below(4), d->in.b = below(4);
    d->l.next = below(6) ? list() : odd();
    d->l.prev = below(6) ? list() : odd();
    d->priv = below(6) ? priv() : odd();
    d->peer = below(6) ? dev() : odd();
    d->count = below(6) ? integer() : odd();
}
static void fill_box(struct box *b)
{
    b->k = below(4), b->u.n = below(4);
    for (int i = 0; i < 3; i++) b->arr[i].a = below(4), b->arr[i].b = below(4);
    b->next = below(6) ? box() : odd();
    fill(&b->dev);
}
struct dev *get_dev(void) { return below(8) ? dev() : odd(); }
struct box *get_box(void) { return below(8) ? box() : odd(); }
struct in *get_in(void) { return below(8) ? in() : odd(); }
int *get_int(void) { return below(8) ? integer() : odd(); }
short *get_short(void)
{
    switch (below(4)) {
    case 0: return &shorts[below(2)];
    case 1: return &un()->h.s;
    case 2: return &un()->h.t;
    default: return RAW ? &shorts[0] : &privs[below(2)].z;
    }
}
struct list *get_list(void) { return below(8) ? list() : odd(); }
union u *get_u(void) { return below(8) ? un() : odd(); }
struct priv *get_priv(void) { return below(8) ? priv() : odd(); }
void *get_any(void) { return priv(); }
long get_num(void) { return (long)get_dev(); }
void give_dev(struct dev *d) { if (n_dev < 8) given_dev[n_dev++] = d; if (below(2)) fill(d); }
void give_box(struct box *b) { fill_box(b); if (n_box < 8) given_box[n_box++] = b; }
void give_int(int *i) { if (n_int < 8) given_int[n_int++] = i; if (below(2)) *i = below(4); }
void touch(struct dev *d)
{
    if (below(2)) fill(d);
    d = d->peer;
    if (OK(d)) fill(d);
}
void unset(void *p, unsigned long size)
{
    if (size == sizeof(struct dev)) fill(p);
    else fill_box(p);
}
void __VERIFIER_assert(int holds) { if (!holds) _exit(1); }
extern int driver_main(void);
int main(int argc, char **argv)
{
    int failed = 0;
    for (unsigned seed = 0; seed < 400 && !failed; seed++) {
        if (fork() == 0) {
            state = seed * 7919 + 12345;
            for (int i = 0; i < 20; i++) below(2);
            for (int i = 0; i < 2; i++) fill(&devs[i]), fill_box(&boxes[i]);
            driver_main();
            _exit(0);
        }
        int status = 0;
        wait(&status);
        if (status >> 8 == 1) failed = 1;
    }
    printf("%s\n", failed ? "fails" : "holds");
    return 0;
}
`

// Fails links the pair and reports whether an assertion of the driver fails in a run. Files are
// made in dir. Flags are further ones for gcc.
func (p Pair) Fails(ctx context.Context, dir string, flags ...string) (bool, error) {
	driver, env, exe := filepath.Join(dir, "driver.c"), filepath.Join(dir, "env.c"), filepath.Join(dir, "pair")
	// In the driver's text main is renamed, and UNSET fills an object that the driver does not
	// initialise.
	text := "extern void unset(void *, unsigned long);\n#define UNSET(object) unset(&(object), sizeof(object))\n" +
		strings.Replace(p.Driver, "int main(void)", "int driver_main(void)", 1)
	if err := os.WriteFile(driver, []byte(text), 0o666); err != nil {
		return false, err
	}
	if err := os.WriteFile(env, []byte(p.Env), 0o666); err != nil {
		return false, err
	}
	args := append([]string{"-w", "-fno-strict-aliasing", "-o", exe, driver, env}, flags...)
	if out, err := exec.CommandContext(ctx, "gcc", args...).CombinedOutput(); err != nil {
		return false, fmt.Errorf("gcc: %w\n%s", err, out)
	}
	out, err := exec.CommandContext(ctx, exe).Output()
	return bytes.Equal(bytes.TrimSpace(out), []byte("fails")), err
}
