package alias_test

import (
	"slices"
	"testing"

	"c2bp/alias"
	"c2bp/frontend"
	"c2bp/frontend/core"
)

// TestFlows: where objects of two types may be outside, since the program follows a value as both, wherever it gets through memory. Of a
// pair that is not listed, neither lies over the other.
func TestFlows(t *testing.T) {
	t.Parallel()
	const head = `
struct a { long x, x2, x3; }; struct b { int y; long y2, y3; }; struct c { char z; long z2, z3; };
struct box { void *data, *more; };
struct a *get_a(void); struct c *get_c(void); struct box *box(void), *other(void); void **words(void);
`
	type pair struct {
		a, b string
		at   int64
	}
	for _, x := range []struct {
		what, body string
		want       []pair
	}{
		{"a value that is stored and read", "box()->data = get_a(); ((struct b *)other()->data)->y = 1;", []pair{{"a", "b", 0}}},
		{"less eight bytes", "box()->data = (char *)get_a() + 8; ((struct b *)other()->data)->y = 1;", []pair{{"a", "b", 8}}},
		{"at another place", "box()->data = get_a(); ((struct b *)other()->more)->y = 1;", nil},
		{"two values that are stored and read at one place", "box()->data = get_a(); box()->data = get_c(); ((struct b *)other()->data)->y = 1;",
			[]pair{{"a", "b", 0}, {"c", "b", 0}}},
		{"a value that is read at two places", "void *p = get_a(); box()->data = p; box()->more = p; ((struct b *)other()->data)->y = 1; ((struct c *)other()->more)->z = 1;",
			[]pair{{"a", "b", 0}, {"a", "c", 0}, {"b", "c", 0}}},
		{"from one place to the next", "box()->data = get_a(); box()->more = (char *)other()->data + 8; ((struct b *)other()->more)->y = 1;", []pair{{"a", "b", 8}}},
		{"two reads of one place", "((struct a *)box()->data)->x = 1; ((struct b *)other()->data)->y = 1;", []pair{{"a", "b", 0}}},
		{"reads of any place", "((struct a *)box()->data)->x = 1; ((struct c *)box()->more)->z = 1; ((struct b *)*words())->y = 1;",
			[]pair{{"a", "b", 0}, {"c", "b", 0}}},
		{"around a cycle", "((struct a *)box()->data)->x = 1; box()->data = (char *)other()->data + 8;", []pair{{"a", "a", 8}, {"a", "a", 16}}},
	} {
		prog := load(t, head+"int main(void) { struct a *a = get_a(); struct c *c = get_c(); "+x.body+" return 0; }", frontend.Options{})
		r := alias.Analyze(prog)
		shape := shapesOf(prog)
		listed := func(a, b string, at int64) bool {
			for _, y := range x.want {
				if y == (pair{a, b, at}) || y == (pair{b, a, -at}) {
					return true
				}
			}
			return false
		}
		for _, a := range []string{"a", "b", "c"} {
			for _, b := range []string{"a", "b", "c"} {
				s, v := shape["struct "+a], shape["struct "+b]
				if s.Record == nil || v.Record == nil {
					continue
				}
				for _, at := range []int64{-16, -8, 0, 8, 16} {
					if a == b && at == 0 { // the same
						continue
					}
					if got := r.MayLie(s, v, at); got != listed(a, b, at) {
						t.Errorf("%s: a struct %s at byte %d of a struct %s: %v", x.what, b, at, a, got)
					}
				}
			}
		}
	}
}

// TestAround: what a function without a body may change in a struct of the program's own of which the program takes a part, the head
// of a list, for a part of another struct, as it does with all that is on the list: what it accesses of that one, and no other part.
func TestAround(t *testing.T) {
	t.Parallel()
	const head = `
struct device; struct list { struct list *next; };
struct dev { struct device *parent; void *data; struct list l; };
struct peer { long id[3]; int pad, flags, more[2]; struct list l; struct device *x; };
void set(struct device *d, void *context); struct device *any(void); struct peer *peer(void); void *malloc(unsigned long n);
static void put_one(int *n) { *n = 1; }
`
	for _, c := range []struct {
		what, body string
		hidden     core.Ranges
	}{
		{"nothing", "", core.Ranges{{Off: 0, End: 16}}},
		{"a part in front of the object", "q->id[0] = 1;", core.Ranges{{Off: 0, End: 16}}},
		{"a part that is accessed in others", "peer()->flags = 1;", core.Ranges{{Off: 0, End: 16}}},
		{"a part in the object", "q->flags = 1;", nil},
		{"a part in the object, in a call", "put_one(&q->flags);", nil},
		{"the same, through memory", "struct list **p = (struct list **)any(); *p = &d->l; struct peer *w = (struct peer *)((char *)*p - __builtin_offsetof(struct peer, l)); w->flags = 1;", nil},
		{"the same, through memory, in a call", "struct list **p = (struct list **)any(); *p = &d->l; struct peer *w = (struct peer *)((char *)*p - __builtin_offsetof(struct peer, l)); put_one(&w->flags);", nil},
	} {
		prog := load(t, head+`int main(void) {
	struct device *a = any(); struct dev *d = malloc(sizeof *d); if (!d) return 0;
	d->parent = a; d->data = 0; d->l.next = &d->l; peer()->l.next = &d->l; set(a, d);
	struct peer *q = (struct peer *)((char *)d->l.next - __builtin_offsetof(struct peer, l));
	`+c.body+` set(a, d); return q == 0; }`, frontend.Options{Assume: frontend.Assumptions{Members: frontend.MembersPrivate}})
		r := alias.Analyze(prog)
		for _, n := range prog.Proc("main").Nodes {
			if a, ok := n.Stmt.(*core.Alloc); ok {
				if got := r.Hidden(nil, a, nil, 24); !slices.Equal(got, c.hidden) {
					t.Errorf("%s: hidden are %v, want %v", c.what, got, c.hidden)
				}
			}
		}
	}
}

// TestAroundMeets: a member of a struct that the program finds around its own object, which is the head of a list, may be a place in
// that object, if the program writes there.
func TestAroundMeets(t *testing.T) {
	t.Parallel()
	const text = `
struct list { struct list *next; }; struct dev { long id; void *data; struct list l; };
struct peer { long id[3]; int pad, flags, more[2]; struct list l; }; struct other { long n[9]; int flags; };
struct list **any(void); struct other *other(void); struct peer *peer(void); void *malloc(unsigned long n); void set(void *p);
int main(void) {
	struct dev *d = malloc(sizeof *d); if (!d) return 0;
	struct list **p = any(); *p = &d->l; set(d);
	struct peer *q = (struct peer *)((char *)*p - __builtin_offsetof(struct peer, l));
	struct other *o = other();
	struct peer *e = peer();
	d->data = 0;
	q->more[0] = 1;
	q->more[1] = 1;
	q->flags = 1;
	o->flags = 1;
	d->id = 0;
	e->pad = 1;
	return 0;
}`
	prog := load(t, text, frontend.Options{})
	r := alias.Analyze(prog)
	w := writes(prog.Proc("main"))
	w = w[len(w)-7:]
	for i, want := range []bool{true, true, false, false} {
		if got := r.MayAlias(w[0], w[i+1]); got != want {
			t.Errorf("%s may be %s: %v", core.ExprString(w[i+1]), core.ExprString(w[0]), got)
		}
	}
	// A member that the program does not access of the value that leads around the object.
	if r.MayAlias(w[5], w[6]) {
		t.Errorf("%s is %s", core.ExprString(w[6]), core.ExprString(w[5]))
	}
}

// TestAroundCall: so may a member whose address the program passes to a procedure that writes there.
func TestAroundCall(t *testing.T) {
	t.Parallel()
	const text = `
struct list { struct list *next; }; struct dev { long id; void *data; struct list l; };
struct peer { long id[3]; int pad, flags, more[2]; struct list l; };
struct list **any(void); struct peer *peer(void); void *malloc(unsigned long n); void set(void *p);
static void put_one(int *n) { *n = 1; }
int main(void) {
	struct dev *d = malloc(sizeof *d); if (!d) return 0;
	struct list **p = any(); *p = &d->l; set(d);
	struct peer *q = (struct peer *)((char *)*p - __builtin_offsetof(struct peer, l));
	d->id = 0;
	put_one(&q->flags);
	return 0;
}`
	prog := load(t, text, frontend.Options{})
	r := alias.Analyze(prog)
	main := prog.Proc("main")
	w := writes(main)
	for _, n := range main.Nodes {
		if c, ok := n.Stmt.(*core.Call); ok && c.Callee.HasBody() && !r.Affected(c, w[len(w)-1]) {
			t.Errorf("put_one does not change %s", core.ExprString(w[len(w)-1]))
		}
	}
}

// TestAroundCharacters: so may a character of such a struct, in an object of known and of unknown size, and in a variable.
func TestAroundCharacters(t *testing.T) {
	t.Parallel()
	for _, object := range []string{"malloc(sizeof(struct dev))", "malloc(in() + 24)", "&own"} {
		text := `
struct list { struct list *next; }; struct dev { long id; void *data; struct list l; };
struct peer { long id[4]; unsigned char tag, more[7]; struct list l; };
static struct dev own;
struct list **any(void); void *malloc(unsigned long n); void set(void *p); unsigned in(void);
int main(void) {
	struct dev *d = ` + object + `; if (!d) return 0;
	struct list **p = any(); *p = &d->l; set(d);
	d->data = 0;
	((struct peer *)((char *)*p - __builtin_offsetof(struct peer, l)))->tag = 1;
	return 0;
}`
		prog := load(t, text, frontend.Options{})
		prog.ArraysApart, prog.CharsApart = true, true
		w := writes(prog.Proc("main"))
		if w = w[len(w)-2:]; !alias.Analyze(prog).MayAlias(w[0], w[1]) {
			t.Errorf("%s: the tag of a peer around it is not in it", object)
		}
	}
}

// TestElementsOfOwn: an element of an array in an object of the program is in that array, where no access leaves one.
func TestElementsOfOwn(t *testing.T) {
	t.Parallel()
	const text = `
struct info { int n; }; struct dev { long id; struct info *info; long mem[3]; struct info *last; long rest[2]; };
void *malloc(unsigned long n); int in(void);
int main(void) {
	struct dev *d = malloc(sizeof *d); if (!d) return 0;
	d->info = malloc(8); d->last = malloc(16); d->mem[in()] = (long)malloc(24);
	long x = d->mem[in()], y = d->rest[in()], *p = &d->mem[in()], z = *p;
	return x + y + z;
}`
	prog := load(t, text, frontend.Options{})
	for _, prog.ArraysApart = range []bool{false, true} {
		r := alias.Analyze(prog)
		want := map[string][]int64{"x": {8, 16, 24}, "y": {8, 16, 24}, "z": {8, 16, 24}}
		if prog.ArraysApart { // the element after the last one counts for a pointer, which may be the end
			want = map[string][]int64{"x": {24}, "y": nil, "z": {16, 24}}
		}
		for name, want := range want {
			for _, v := range prog.Proc("main").Locals {
				if v.Name != name {
					continue
				}
				var got []int64
				for _, to := range r.PointsTo(v.Ref()).Targets() {
					if to.Object.Kind == alias.Allocation {
						got = append(got, to.Object.Size)
					}
				}
				slices.Sort(got)
				if !slices.Equal(slices.Compact(got), want) {
					t.Errorf("apart %v: %s leads to objects of %v bytes, want %v", prog.ArraysApart, name, got, want)
				}
			}
		}
	}
}
