package alias_test

import (
	"slices"
	"testing"

	"c2bp/alias"
	"c2bp/frontend"
	"c2bp/frontend/core"
)

// TestPassed: whether a call that writes a word to which it is given the address may change a pointer in a struct outside. It does not
// if the word is a number of such a struct in all calls of the function.
func TestPassed(t *testing.T) {
	const head = `
struct obj { long v; }; struct head { unsigned long n; struct obj *first; }; union word { unsigned long n; struct head head; };
struct queue { struct obj *peer; unsigned long state, more[2]; struct obj *next; struct head head; union word word; };
struct queue *get_queue(void); void *get(void); unsigned in(void);
static void set_bit(unsigned n, unsigned long *word) { word[n / 64] |= 1UL << (n % 64); }
static void set_one(unsigned long *word) { *word |= 4; }
static void set_after(unsigned long *word) { word[-1] |= 4; }
static void set_deep(unsigned long *word) { set_one(word); }
static void set_either(unsigned long *word, unsigned long *other) { if (in()) word = other; *word |= 4; }
static void set_known(unsigned long *word) { unsigned long **w = &word; if (in()) *w = get(); *word |= 4; }
`
	const no, yes, apart = 0, 1, 2 // apart: no if arrays are apart, so that no access leaves a row of words
	for _, c := range []struct {
		body string
		want int
	}{
		{"set_one(&q->state);", no},
		{"set_deep(&q->state);", no},
		{"set_bit(in(), &q->state);", apart},
		{"set_bit(in(), q->more);", apart},
		{"set_one(&q->state); set_one(&q->more[1]);", yes}, // an element, from which others can be reached
		{"set_after(&q->state);", apart},
		{"set_one((unsigned long *)&q->peer);", yes},
		// All words of a struct, from its first one on.
		{"set_bit(in(), (unsigned long *)&q->head);", yes},
		{"((unsigned long *)&q->head)[in()] = 1; set_one(&q->state);", yes},
		{"set_bit(in(), &q->head.n);", apart},
		{"set_bit(in(), &q->word.n);", yes},
		{"set_one(&q->state); set_one((unsigned long *)&q->next);", yes},
		{"set_one(&q->state); set_one(get());", yes},
		{"set_deep(&q->state); set_one((unsigned long *)q);", yes},
		{"set_either(&q->state, get());", yes},
		{"set_known(&q->state);", yes},
		{"void (*set)(unsigned long *) = set_one; set_one(&q->state); if (in()) set(get());", yes},
		{"unsigned long *word = &q->state; set_one(in() ? word : get());", yes},
	} {
		text := head + "int main(void) { struct queue *q = get_queue(), *r = get_queue(); struct obj *o = r->peer, *p = r->next, *f = r->head.first, *g = r->word.head.first; " + c.body + " return o != p && f != g; }"
		prog := load(t, text, frontend.Options{})
		main := prog.Proc("main")
		for _, prog.ArraysApart = range []bool{false, true} {
			r := alias.Analyze(prog)
			var read []*core.Mem
			changes := false
			for _, n := range main.Nodes {
				switch s := n.Stmt.(type) {
				case *core.Assign:
					if m, ok := s.Rhs[0].(*core.Mem); ok && m.To != nil {
						read = append(read, m)
					}
					if m, ok := s.Lhs[0].(*core.Mem); ok { // one that main itself makes
						changes = changes || slices.ContainsFunc(read, func(l *core.Mem) bool { return r.MayAlias(m, l) })
					}
				case *core.Call:
					for _, m := range read {
						changes = changes || (s.Callee == nil || s.Callee.HasBody()) && r.Affected(s, m)
					}
				}
			}
			if want := c.want == yes || c.want == apart && !prog.ArraysApart; changes != want {
				t.Errorf("%s arrays apart %v: the pointers may change is %v", c.body, prog.ArraysApart, changes)
			}
		}
	}
}

// TestPassedByOthers: a procedure that is known outside may be passed anything, also where no call of others is in the program.
func TestPassedByOthers(t *testing.T) {
	const text = `
struct obj { long v; }; struct queue { struct obj *peer; unsigned long state; };
struct queue *get_queue(void); void reg(void (*set)(unsigned long *));
static void set_one(unsigned long *word) { *word = 4; }
int main(void) { struct queue *q = get_queue(); q->peer = 0; set_one(&q->state); reg(set_one); return 0; }`
	prog := load(t, text, frontend.Options{})
	main := prog.Proc("main")
	for _, n := range main.Nodes {
		if c, ok := n.Stmt.(*core.Call); ok && c.By != nil {
			n.Stmt = &core.Skip{}
		}
	}
	if !alias.Analyze(prog).MayAlias(writes(main)[0], writes(prog.Proc("set_one"))[0]) {
		t.Error("what others pass to set_one is no pointer")
	}
}
