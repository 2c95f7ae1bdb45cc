package alias_test

import (
	"testing"

	"c2bp/alias"
	"c2bp/frontend"
	"c2bp/frontend/core"
)

// TestMarks: an array of no elements that has other members after it holds nothing; one at the end, or in a union, has no
// end.
func TestMarks(t *testing.T) {
	const text = `
struct buff { int len; char mark[0]; int flags; long more; };
struct tail { int len; char tail[0]; char also[0]; };
struct both { union { char raw[0]; int number; } u; long more; };
struct buff *get_buff(void); struct tail *get_tail(void); struct both *get_both(void); char *get_text(void); int in(void); void give(struct tail *);
int main(void)
{
	struct buff *b = get_buff(); char *c = get_text();
	b->flags = 1;
	b->more = 2;
	get_tail()->tail[in()] = 3;
	get_both()->u.number = 4;
	c[in()] = 5;
	b->mark[in()] = 6;
	return 0;
}`
	prog := load(t, text, frontend.Options{})
	prog.ArraysApart, prog.CharsApart = true, true
	r := alias.Analyze(prog)
	w := writes(prog.Proc("main"))
	flags, more, tail, union, char, mark := w[0], w[1], w[2], w[3], w[4], w[5]
	for _, c := range []struct {
		what string
		a, b *core.Mem
		want bool
	}{
		{"a text and what is after a mark", char, flags, false},
		{"a text and a later member", char, more, false},
		{"a text and the end of a struct", char, tail, true},
		{"a text and a union", char, union, true},
		{"the mark by its name and what is after it", mark, flags, true},
		{"the mark by its name and a later member", mark, more, true},
	} {
		if got := r.MayAlias(c.a, c.b); got != c.want {
			t.Errorf("%s may be one place: %v", c.what, got)
		}
	}
}

// TestVariablesInUnions: a variable of a type that members of unions have is in none; one that is a union may be read and
// written as each of its members.
func TestVariablesInUnions(t *testing.T) {
	const text = `
union any { char raw[8]; unsigned long n; }; struct box { union any u; };
static unsigned long own; static union any both; static struct box box;
struct box *get_box(void); char *get_text(void); int in(void); void tell(void *);
int main(void)
{
	tell(&own); tell(&both); tell(&box);
	char *c = get_text(); struct box *b = get_box();
	c[in()] = 1;
	b->u.n = 2;
	own = 3;
	both.n = 4;
	box.u.n = 5;
	return 0;
}`
	prog := load(t, text, frontend.Options{})
	prog.ArraysApart, prog.CharsApart = true, true
	r := alias.Analyze(prog)
	w := writes(prog.Proc("main"))
	char, outside := w[len(w)-4], w[len(w)-3] // after the initial values
	place := func(name string) *core.Mem {
		for _, v := range prog.Globals {
			if v.Name == name {
				return &core.Mem{Addr: &core.AddrOf{Var: v}, Typ: core.Int{Bits: 64}}
			}
		}
		t.Fatal(name)
		return nil
	}
	for _, c := range []struct {
		what string
		a, b *core.Mem
		want bool
	}{
		{"a text and a number", char, place("own"), false},
		{"a text and a union", char, place("both"), true},
		{"a text and a union in a struct", char, place("box"), true},
		{"a text and a union outside", char, outside, true},
	} {
		if got := r.MayAlias(c.a, c.b); got != c.want {
			t.Errorf("%s may be one place: %v", c.what, got)
		}
	}
}
