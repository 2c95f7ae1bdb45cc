package alias_test

import (
	"fmt"
	"testing"

	"c2bp/alias"
	"c2bp/frontend"
	"c2bp/frontend/core"
)

// TestDistance: a member of a struct is at one byte of a written range if all of the object is one such struct, or if the
// program's own pointer leads to one place of it.
func TestDistance(t *testing.T) {
	t.Parallel()
	const text = `
void *malloc(unsigned long); void *memset(void *, int, unsigned long);
struct dev { long id; int lock; long last; }; struct pair { struct dev of[2]; }; struct file { long flags; };
struct dev *get(void); struct file *get_file(void); void give(void *); int in(void);
int main(void) {
	struct file *f = get_file();
	struct dev *given = malloc(sizeof *given), *more = malloc(2 * sizeof *more), *d = get();
	struct pair *pair = malloc(sizeof *pair), *other = malloc(sizeof *other);
	struct dev *second = &pair->of[1], *either = in() ? &other->of[0] : &other->of[1];
	if (!given || !more || !pair || !other)
		return 0;
	give(given);
	more->lock = 1;
	f->flags = 1;
	if (in())
		give(more);
	memset(given, 0, sizeof *given);
	memset(more, 0, 2 * sizeof *more);
	memset(pair, 0, sizeof *pair);
	memset(other, 0, sizeof *other);
	given->last = 0;
	d->lock = 2; second->lock = 3; either->lock = 4;
	return 0;
}`
	// 1. The places that are stored to, by the pointers that lead there, and the ranges that are filled.
	places, fills := map[string]*core.Mem{}, map[string]*core.Mem{}
	prog := load(t, text, frontend.Options{})
	for _, p := range prog.Procs {
		for _, n := range p.Nodes {
			switch s := n.Stmt.(type) {
			case *core.Assign:
				if m, ok := s.Lhs[0].(*core.Mem); ok {
					places[core.ExprString(core.Base(m.Addr))] = m
				}
			case *core.Fill:
				size := s.Size.(*core.Const).Val.Int64()
				fills[core.ExprString(s.Dst)] = &core.Mem{Addr: s.Dst, Typ: core.Agg{Size: size}}
			}
		}
	}
	// 2. Where they are.
	r := alias.Analyze(prog)
	for _, c := range []struct{ place, fill, want string }{
		{"d", "given", "8 true"},      // all of it is one struct dev
		{"d", "more", "0 false"},      // there are two of them
		{"second", "pair", "32 true"}, // 24 + 8
		{"either", "other", "0 false"},
	} {
		place, fill := places[c.place], fills[c.fill]
		if place == nil || fill == nil {
			t.Fatalf("no place %s or range %s: %v, %v", c.place, c.fill, places, fills)
		}
		d, known := r.Distance(place, fill)
		if !known {
			d = 0
		}
		if got := fmt.Sprint(d, known); got != c.want {
			t.Errorf("%s in %s: %s, want %s", c.place, c.fill, got, c.want)
		}
	}
}
