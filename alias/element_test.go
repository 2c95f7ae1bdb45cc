package alias_test

import (
	"testing"

	"c2bp/alias"
	"c2bp/frontend"
	"c2bp/frontend/core"
)

// TestOpenArray: an element of an array without an end may be in any later element of it, and nothing that is before it.
func TestOpenArray(t *testing.T) {
	const text = `
struct dev { long id; void *data; long rest[]; }; struct around { struct dev dev; long first, more[4]; };
struct dev *get_dev(void); struct around *get_around(void); int in(void);
int main(void) {
	struct dev *d = get_dev(), *e = get_dev(); struct around *a = get_around();
	d->rest[in()] = 1; e->id = 2; e->rest[3] = 3; a->more[1] = 4; a->dev.id = 5;
	return 0;
}`
	prog := load(t, text, frontend.Options{})
	r := alias.Analyze(prog)
	w := writes(prog.Proc("main"))
	for i, want := range []bool{false, true, true, false} {
		if got := r.MayAlias(w[0], w[i+1]); got != want {
			t.Errorf("%s may be one place with %s: %v", core.ExprString(w[0]), core.ExprString(w[i+1]), got)
		}
	}
}

// TestElements: whether the elements of an array in a struct outside lie over the rest of it, where the program uses a pointer
// to one that it has computed. They do if the pointer may be moved out of the array, and it is followed then.
func TestElements(t *testing.T) {
	const head = `
struct res { long start, end; }; struct other { long x, y; };
struct dev { long id; void *data; struct res r[4]; long n, more[2]; struct res last[2]; };
struct dev *get_dev(void); int in(void); long take(struct res *);
`
	const no, yes, apart = 0, 1, 2 // apart: no if arrays are apart
	for _, c := range []struct {
		body string
		want int
	}{
		{"d->r[in()].end = 1;", no},
		{"struct res *p = &d->r[2]; p->end = 1;", no},
		{"struct res *p = &d->r[in()]; p->end = 1;", apart},
		{"take(&d->r[in()]);", apart},
		{"(&d->r[in()])->end = 1;", apart},
		{"struct res *p = &d->r[2 * in() + 1]; p->end = 1;", apart},
		{"struct res *p = in() ? &d->r[in()] : &d->r[0]; p->end = 1;", apart},
		// The pointer leads elsewhere.
		{"struct other *p = (struct other *)&d->r[2 * in() + 1]; p->y = 1;", yes},
		{"struct other *p = (struct other *)&d->r[in()]; p->y = 1;", yes},
		{"struct res *p = &d->r[in()]; (p + 1)->end = 1;", yes},
		{"struct res *p = &d->r[in()]; (p - 1)->end = 1;", yes},
		{"struct res *p = (struct res *)d + in(); p->end = 1;", yes},
		{"struct res *p = &d->last[in()]; p->end = 1;", yes}, // an array at the end of a struct may have more elements
		{"struct res *p = &d->r[in()]; while (in()) p++; p->end = 1;", yes},
		{"long *p = &d->more[in()]; ((struct res *)p)->start = 1;", yes},
	} {
		text := head + "int main(void) { struct dev *d = get_dev(); d->id = 1; " + c.body + " return 0; }"
		prog := load(t, text, frontend.Options{})
		shape := shapesOf(prog)
		over := shape["struct res"]
		if o, ok := shape["struct other"]; ok {
			over = o
		}
		for _, prog.ArraysApart = range []bool{false, true} {
			want := c.want == yes || c.want == apart && !prog.ArraysApart
			if got := alias.Analyze(prog).MayMix(shape["struct dev"], over); got != want {
				t.Errorf("%s arrays apart %v: one lies over the other is %v", c.body, prog.ArraysApart, got)
			}
		}
	}
	// Each element counts.
	prog := load(t, head+"int main(void) { struct dev *d = get_dev(); d->id = 1; struct other *p = (struct other *)&d->r[2 * in() + 1]; p->y = 1; return 0; }",
		frontend.Options{})
	prog.ArraysApart = true
	shape := shapesOf(prog)
	r := alias.Analyze(prog)
	for i, want := range []bool{false, true, false, true, false} {
		if got := r.MayLie(shape["struct dev"], shape["struct other"], 16+16*int64(i)); got != want {
			t.Errorf("a struct other at r[%d]: %v", i, got)
		}
	}
}
