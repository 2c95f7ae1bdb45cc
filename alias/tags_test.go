package alias_test

import (
	"testing"

	"c2bp/alias"
	"c2bp/alias/devirt"
	"c2bp/frontend"
	"c2bp/frontend/core"
	"c2bp/source"
)

// mayAlias reports whether the two places that predicates of main compare with 0 may be one in a C program.
func mayAlias(t *testing.T, text string, places ...string) bool {
	t.Helper()
	u, err := frontend.Load(t.Context(), []*source.File{source.NewFile("in.c", []byte(text))}, frontend.Options{})
	if err != nil {
		t.Fatal(err)
	}
	devirt.Resolve(u.Program)
	var texts []core.PredicateText
	for _, p := range places {
		text := p + " == 0"
		texts = append(texts, core.PredicateText{Scope: "main", Text: text, File: source.NewFile("p", []byte(text))})
	}
	list, err := u.Resolve(texts)
	if err != nil {
		t.Fatal(err)
	}
	place := func(i int) *core.Mem {
		l := core.Loads(list[i].Expr)[0]
		if r, ok := l.(*core.VarRef); ok {
			return &core.Mem{Addr: &core.AddrOf{Var: r.Var, Typ: u.Program.Pointer()}, Typ: r.Var.Type}
		}
		return l.(*core.Mem)
	}
	return alias.Analyze(u.Program).MayAlias(place(0), place(1))
}

// TestTags: a pointer to one struct is in no place of a pointer to another one, so that what the elements of an array
// lead to is not what members of other types lead to; unless the program takes one such place for the other, or for
// one of a type that says less.
func TestTags(t *testing.T) {
	t.Parallel()
	const head = `
struct a { long x, y; };
struct b { long z, v; };
union u { long w; };
typedef struct a *a_ptr;
struct dev { struct a *a; struct b *b; void *data; long number; struct b *const *list; union u *u; };
struct box { void *ref; };
extern struct dev *get(void); extern struct a **table(void); extern struct box *box(void); extern int in(void);
int main(void)
{
	struct dev *d = get();
	struct a **l = table(), *a;
	struct b *b;
	union u *u;
`
	for _, c := range []struct {
		name, body string
		may        bool
	}{
		{"an element and a member of another type", "a = l[in()]; b = d->b;", false},
		{"an element and the target of a pointer to another type", "a = l[in()]; b = *d->list;", false},
		{"by a typedef", "a = *(a_ptr *)l; b = d->b;", false},
		{"a struct and a union", "a = l[in()]; u = d->u; b = (struct b *)u;", false},
		{"a member of the type", "a = l[in()]; b = (struct b *)d->a;", true},
		{"void", "a = l[in()]; b = d->data;", true},
		{"a number", "a = l[in()]; b = (struct b *)d->number;", true},
		{"a cast of the place", "a = *(struct a **)&d->b; b = d->b;", true},
		{"a cast of the place that is kept outside", "box()->ref = &d->b; a = *(struct a **)box()->ref; b = d->b;", true},
		{"a cast of the element", "a = l[in()]; b = *(struct b **)l;", true},
		{"a read as void", "a = *(void **)l; b = d->b;", true},
		{"a store as void", "*(void **)l = a = l[in()]; b = d->b;", true},
	} {
		text := head + c.body + " a->y = 1; b->v = 2; return 0; }"
		if got := mayAlias(t, text, "a->y", "b->v"); got != c.may {
			t.Errorf("%s: %v, want %v", c.name, got, c.may)
		}
	}
}

// TestTagsOfPlaces asks the same of the places themselves.
func TestTagsOfPlaces(t *testing.T) {
	t.Parallel()
	const text = `
struct a { long x, y; };
struct b { long z, v; };
struct dev { struct a *a; struct b *b; void *data; long number; };
extern struct dev *get(void); extern struct a **table(void); extern void give(void *);
static struct dev own;
static struct a *slot;
static struct b *other;
static long word;
int main(void)
{
	struct dev *d = get();
	struct a **l = table();
	give(&own); give(&slot); give(&other); give(&word);
	return l[0]->x + d->a->x + d->b->z + own.b->v;
}
`
	for _, c := range []struct {
		place string
		may   bool
	}{
		{"d->a", true}, {"d->b", false}, {"d->data", true}, {"d->number", true},
		{"own.a", true}, {"own.b", false}, {"own.data", true},
		{"slot", true}, {"other", false}, {"word", true},
	} {
		if got := mayAlias(t, text, "*l", c.place); got != c.may {
			t.Errorf("*l and %s: %v, want %v", c.place, got, c.may)
		}
	}
}
