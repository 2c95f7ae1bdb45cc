package alias_test

import (
	"testing"

	"c2bp/alias"
	"c2bp/alias/devirt"
	"c2bp/frontend"
	"c2bp/frontend/core"
	"c2bp/source"
)

// TestReadAs: a predicate reads a place by the struct around it, and the program by the inner one. The types that the
// program uses the value as are known then, unless it reads the place not at all, or uses the value as another type.
func TestReadAs(t *testing.T) {
	t.Parallel()
	const head = `
struct inner { long id; void *data; };
struct outer { long n; struct inner in; };
struct a { long x; long y; };
struct b { long z; long v; };
extern struct outer *get(void); extern struct b *other(void);
static void *data(struct inner *i) { return i->data; }
int main(void)
{
	struct outer *o = get();
	struct b *b = other();
`
	for _, c := range []struct {
		name, body string
		may        bool
	}{
		{"read", "struct a *a = data(&o->in); a->y = 1;", false},
		{"as another type", "struct a *a = data(&o->in); a->y = 1; struct b *c = data(&o->in); c->z = 1;", true},
		{"not read", "o->in.id = 1;", true},
		{"not followed as that", "struct b *c = data(&o->in); c->z = 1;", true},
	} {
		text := head + c.body + " b->v = 2; return 0; }"
		u, err := frontend.Load(t.Context(), []*source.File{source.NewFile("in.c", []byte(text))}, frontend.Options{})
		if err != nil {
			t.Fatal(err)
		}
		devirt.Resolve(u.Program)
		list, err := u.Resolve([]core.PredicateText{
			{Scope: "main", Text: "((struct a *)o->in.data)->y == 0", File: source.NewFile("p", []byte("((struct a *)o->in.data)->y == 0"))},
			{Scope: "main", Text: "b->v == 0", File: source.NewFile("p", []byte("b->v == 0"))},
		})
		if err != nil {
			t.Fatal(err)
		}
		r := alias.Analyze(u.Program)
		place := func(i int) *core.Mem { return core.Loads(list[i].Expr)[0].(*core.Mem) }
		if got := r.MayAlias(place(0), place(1)); got != c.may {
			t.Errorf("%s: %v, want %v", c.name, got, c.may)
		}
	}
}
