package alias_test

import "testing"

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
		if got := mayAlias(t, text, "((struct a *)o->in.data)->y", "b->v"); got != c.may {
			t.Errorf("%s: %v, want %v", c.name, got, c.may)
		}
	}
}
