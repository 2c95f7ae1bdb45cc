package alias_test

import (
	"testing"

	"c2bp/alias"
	"c2bp/frontend"
	"c2bp/frontend/core"
)

// TestLaid asks where objects of two types may be that the program lays over each other: outside, and in an object of
// its own that others know.
func TestLaid(t *testing.T) {
	t.Parallel()
	text := `
struct a { int x, x2; };
struct b { int y, y2; };
struct c { int z; };
static struct a own[2];
static int number;
extern void give(struct a *); extern void tell(int *); extern void *get(void); extern struct c *other(void);
int main(void)
{
	give(own);
	tell(&number);
	struct a *p = get();
	p->x = 1;
	((struct b *)((char *)p + 4))->y2 = 2;
	other()->z = 3;
	return 0;
}`
	prog := load(t, text, frontend.Options{})
	r := alias.Analyze(prog)
	shape := shapesOf(prog)
	a, b, c := shape["struct a"], shape["struct b"], shape["struct c"]
	global := map[string]*core.Var{}
	for _, v := range prog.Globals {
		global[v.Name] = v
	}
	own, number := global["own"], global["number"]
	for _, x := range []struct {
		what      string
		got, want bool
	}{
		{"b at byte 4 of an a", r.MayLie(a, b, 4), true},
		{"b at byte 0 of an a", r.MayLie(a, b, 0), false},
		{"a at byte 4 of a b", r.MayLie(b, a, 4), false},
		{"a 4 bytes before a b", r.MayLie(b, a, -4), true},
		{"a and b", r.MayMix(a, b), true},
		{"a and c", r.MayMix(a, c), false},
		{"b at byte 4 of own", r.MayUse(own, nil, 4, b), true},
		{"b at byte 12 of own", r.MayUse(own, nil, 12, b), true},
		{"b at byte 0 of own", r.MayUse(own, nil, 0, b), false},
		{"b in own", r.MayMixWith(own, nil, b), true},
		{"b in a number that is no member of an a", r.MayMixWith(number, nil, b), false},
		{"b at byte 0 of it", r.MayUse(number, nil, 0, b), false},
		{"c in own", r.MayMixWith(own, nil, c), false},
	} {
		if x.got != x.want {
			t.Errorf("%s: %v", x.what, x.got)
		}
	}
}
