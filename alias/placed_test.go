package alias_test

import (
	"testing"

	"c2bp/alias"
	"c2bp/frontend"
)

// TestPlaced: whether the targets of two pointers in one struct may overlap, as the program writes a word through a
// pointer to words. A word that may be one of the pointers gives both the same values.
func TestPlaced(t *testing.T) {
	const head = `
struct obj { long v; }; struct item { long m[3]; }; struct queue { struct obj *peer; unsigned long state, more[2]; struct item *next; };
struct third { long n; struct obj *other; };
struct inner { long n; unsigned long bits; }; struct big { struct inner in; long more; }; struct wrap { union { struct inner in; struct obj *ptrs[2]; } u; };
struct big *get_big(void); struct wrap *get_wrap(void);
struct queue *get_queue(void), *get_queues(void); void *get(void); unsigned in(void);
static void set_bit(unsigned n, unsigned long *word) { word[n / 64] |= 1UL << (n % 64); }
static void set_one(unsigned long *word) { *word |= 4; }
`
	const no, yes, apart = 0, 1, 2 // apart: no if arrays are apart, so that no access leaves a row of words
	for _, c := range []struct {
		body string
		want int
	}{
		{"set_one(&q->state);", no},
		{"set_bit(in(), &q->state);", apart},
		{"set_bit(in(), &q->more[1]);", apart},
		{"set_bit(in(), &get_queues()[in()].state);", apart},
		{"set_one(&q->more[in()]);", yes}, // one of several places
		// The word may be a pointer.
		{"set_one((unsigned long *)&q->peer);", yes},
		{"set_one((unsigned long *)q);", yes},
		{"set_bit(in(), (unsigned long *)q + in());", yes},
		{"((unsigned long *)0)[(unsigned long)&q->peer / 8] |= 4;", yes},
		// Nothing says in which struct it is.
		{"set_one(get());", yes},
		{"set_bit(in(), get());", yes},
		// An index that is not known moves the pointer along an array of structs, or along something else.
		{"struct queue *a = get_queues(); set_one(&a[in()].state); a[in()].next->m[0] = 1;", no},
		{"char *c = get(); ((struct third *)(c + 16))->other->v = 1; ((struct third *)(c + 16 * in()))->n = 1; set_one((unsigned long *)c);", yes},
		// Several structs are there, and the smallest may be in yet another one.
		{"struct inner *n = &get_big()->in; n->n = 1; get_big()->more = n->bits; set_one(&n->bits);", no},
		{"struct big *b = get_big(); struct inner *n = &b->in; n->n = 1; get_wrap()->u.ptrs[1]->v = 1; set_one(&b->in.bits);", yes},
		{"void *p = get(); struct third *s = p; s->other->v = 1; q = p; set_one(&q->state);", yes},
	} {
		text := head + "int main(void) { struct queue *q = get_queue(); struct obj *o = q->peer; struct item *i = q->next; o->v = 1; i->m[2] = 1; " +
			c.body + " return 0; }"
		prog := load(t, text, frontend.Options{})
		main := writes(prog.Proc("main"))
		for _, prog.ArraysApart = range []bool{false, true} {
			want := c.want == yes || c.want == apart && !prog.ArraysApart
			if got := alias.Analyze(prog).MayAlias(main[0], main[1]); got != want {
				t.Errorf("%s arrays apart %v: the targets may overlap is %v", c.body, prog.ArraysApart, got)
			}
		}
	}
}
