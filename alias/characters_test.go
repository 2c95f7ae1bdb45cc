package alias_test

import (
	"slices"
	"strings"
	"testing"

	"c2bp/alias"
	"c2bp/frontend"
	"c2bp/frontend/checks"
	"c2bp/frontend/core"
)

// charactersHead declares what the programs of TestCharacters use.
const charactersHead = `
void *dma_alloc_attrs(void *dev, unsigned long n, unsigned long *handle, unsigned flags, unsigned long attrs); void *malloc(unsigned long); long a;
void *memset(void *, int, unsigned long); void *memcpy(void *, const void *, unsigned long); int sprintf(char *, const char *, ...); int in(void); void give(void *);
struct led { int b; void *data; char name[8]; }; struct box { struct led led; };
struct led *get_led(void); char *get_text(void); void *get(void); struct box *get_box(void);
`

// TestCharacters: whether the last write of a program, through a pointer from outside to bytes, may change the number
// that the write before it sets. With CharsApart characters are in no number, unless the program says so.
func TestCharacters(t *testing.T) {
	const yes, apart = true, false // apart: not with Program.CharsApart
	for _, c := range []struct {
		body string
		want bool
	}{
		{"l->b = 1; t[in()] = 5;", apart},
		{"char *b = t; t[0] = 1; l->b = 1; sprintf(b, \"x\");", apart},
		// A fill may be of anything.
		{"t[0] = 1; l->b = 1; memset(t, 0, 4);", yes},
		{"t[0] = 1; void *v = t; l->b = 1; memset(v, 0, 4);", yes},
		{"l->b = 1; __builtin_memcpy(t, l->name, 4);", apart},
		{"void *v = get(); l->b = 1; __builtin_memcpy(v, t, 4);", apart},
		{"void *v = get(); struct led *k = v; k->data = 0; l->b = 1; __builtin_memcpy(v, t, 4);", yes},
		{"char *p = (char *)l; l->b = 1; __builtin_memcpy(p, t, 4);", yes},
		{"void *v = get(); t[0] = 1; l->b = 1; memcpy(t, &l->b, 4);", yes},
		// A pointer that is put together of characters may lead anywhere.
		{"char own[8]; __builtin_memcpy(own, t, 8); int *n = *(int **)own; l->b = 1; *n = 5;", yes},
		{"__builtin_memcpy(l->name, t, 8); int *n = *(int **)l->name; l->b = 1; *n = 5;", yes},
		// The program uses a pointer as both.
		{"t = (char *)get_led(); l->b = 1; t[0] = 5;", yes},
		{"t = (char *)get_led(); ((struct led *)t)->data = 0; l->b = 1; t[0] = 5;", yes},
		{"struct led *k = (struct led *)t; k->data = 0; l->b = 1; t[0] = 5;", yes},
		{"struct led *k = (struct led *)t; k->data = 0; l->b = 1; sprintf(t, \"x\");", yes},
		{"void *v = get(); t = v; struct led *k = v; k->data = 0; l->b = 1; t[3] = 5;", yes},
		{"t = (char *)get_box(); ((struct led *)t)->data = 0; l->b = 1; t[in()] = 5;", yes},
		// Characters of the program that others know.
		{"char own[32]; give(own); l->b = 1; own[in()] = 5;", apart},
		{"char own[32]; give(own); own[1] = 0; ((struct led *)own)->data = 0; l->b = 1; own[in()] = 5;", yes},
		{"char own[32]; give(own); struct led *k = (struct led *)(own + 8); k->data = 0; l->b = 1; own[in()] = 5;", yes},
		{"char own[32]; give(own); l->b = 1; __builtin_memset(own, 0, 32);", apart},
		// Memory for a device is for bytes, unless the program says what else is there.
		{"void *own = dma_alloc_attrs(0, 64, (unsigned long *)&a, 0, 0); give(own); l->b = 1; __builtin_memset(own, 0, 32);", apart},
		{"void *own = dma_alloc_attrs(0, 64, (unsigned long *)&a, 0, 0); give(own); ((struct led *)own)->data = 0; l->b = 1; __builtin_memset(own, 0, 32);", yes},
		{"void *own = malloc(64); give(own); l->b = 1; __builtin_memset(own, 0, 32);", yes},
		// Numbers of more than a byte are no characters.
		{"l->b = 1; *(int *)t = 5;", yes},
	} {
		text := charactersHead + "int main(void) { struct led *l = get_led(); char *t = get_text(); " + c.body + " return 0; }"
		prog := load(t, text, frontend.Options{})
		written := writes(prog.Proc("main"))
		if len(written) < 2 {
			t.Fatalf("%s: %d writes", c.body, len(written))
		}
		for _, prog.CharsApart = range []bool{false, true} {
			want := c.want || !prog.CharsApart
			if got := alias.Analyze(prog).MayAlias(written[len(written)-2], written[len(written)-1]); got != want {
				t.Errorf("%s, characters apart %v: the places may be one is %v", c.body, prog.CharsApart, got)
			}
		}
	}
}

// TestLiterals: a string literal that others know is in no number and no pointer outside of the program: nobody writes
// there, so that a value read from outside is as arbitrary as it is elsewhere. Characters outside may be those of the
// literal.
func TestLiterals(t *testing.T) {
	const text = charactersHead + `
int main(void)
{
	char *s = "a literal of the program"; give(s);
	struct led *l = get_led(); l->data = 0;
	char *c = get_text(); c[1] = 1;
	return 0;
}`
	prog := load(t, text, frontend.Options{})
	main := prog.Proc("main")
	led, text0 := writes(main)[0], writes(main)[1]
	literal := &core.Mem{Addr: variableNamed(main, "s").Ref(), Typ: core.Int{Bits: 8}}
	for _, prog.CharsApart = range []bool{false, true} {
		r := alias.Analyze(prog)
		if r.MayAlias(literal, led) {
			t.Errorf("characters apart %v: l->data may be in the literal", prog.CharsApart)
		}
		if !r.MayAlias(literal, text0) {
			t.Errorf("characters apart %v: c[1] is not in the literal, which others know", prog.CharsApart)
		}
	}
}

// writes lists the places in memory that p writes.
func writes(p *core.Proc) (list []*core.Mem) {
	for _, n := range p.Nodes {
		switch s := n.Stmt.(type) {
		case *core.Assign:
			for _, l := range s.Lhs {
				if m, ok := l.(*core.Mem); ok {
					list = append(list, m)
				}
			}
		case *core.Copy:
			list = append(list, &core.Mem{Addr: s.Dst, Typ: core.Agg{Size: 4}, Of: s.Of, Chars: s.Chars})
		case *core.Fill:
			list = append(list, &core.Mem{Addr: s.Dst, Typ: core.Agg{Size: 4}, Chars: s.Chars})
		}
	}
	return list
}

// TestPostponed: a predicate may follow a pointer that the program only copies. It may be a pointer that the program
// follows as another type, which it reads from a structure.
func TestPostponed(t *testing.T) {
	const text = charactersHead + `
struct other { int m; struct other *next; }; struct holder { struct other *ptr; }; struct holder *get_holder(void);
int main(void)
{
	struct led *l = get_led(); l->b = 1;
	void **from = get(), *v = *from;
	struct holder *h = get_holder(); struct other *k = h->ptr; k->m = 1;
	return v != 0;
}`
	prog := load(t, text, frontend.Options{})
	main := prog.Proc("main")
	written := writes(main)
	led, other := written[0], written[1]
	// ((struct led *)v)->b, and l->b for comparison.
	o := *led.Addr.(*core.Offset)
	o.X = variableNamed(main, "v").Ref()
	r := alias.Analyze(prog)
	if r.MayAlias(led, other) {
		t.Error("l->b and k->m may be one place")
	}
	if !r.MayAlias(led.At(&o), other) {
		t.Error("((struct led *)v)->b and k->m are told apart, though v may be k")
	}
}

// TestArraysApart: a copy of unknown length into an array of a structure may write the members after it, unless
// arrays are apart. They are not where accesses are checked: then nothing says that copies end with the array.
func TestArraysApart(t *testing.T) {
	const text = `
struct tag { char name[8]; int *q; long z; };
unsigned in(void); void *malloc(unsigned long);
int main(void)
{
	int x, y; char from[16];
	struct tag *p = malloc(sizeof *p);
	((int **)from)[1] = &x;
	p->q = &y;
	__builtin_memcpy(p->name, from, in());
	int *q = p->q;
	return q == &y;
}`
	for name, c := range map[string]struct {
		opts  frontend.Options
		apart bool
	}{
		"ordinary": {frontend.Options{}, false},
		"driver":   {frontend.Options{Assume: frontend.Assumptions{Members: frontend.MembersPrivate}}, true},
		"checked":  {frontend.Options{Assume: frontend.Assumptions{Members: frontend.MembersPrivate}, Checks: checks.Of(checks.Bounds)}, false},
	} {
		prog := load(t, text, c.opts)
		var names []string
		for _, to := range alias.Analyze(prog).PointsTo(variableNamed(prog.Proc("main"), "q").Ref()).Targets() {
			names = append(names, to.Object.Name)
		}
		slices.Sort(names)
		want := "main.x main.y outside" // the bytes that nobody has set may hold anything
		if c.apart {
			want = "main.y"
		}
		if got := strings.Join(slices.Compact(names), " "); got != want {
			t.Errorf("%s: q leads to %s, want %s", name, got, want)
		}
	}
}
