package alias_test

import (
	"testing"

	"c2bp/alias"
	"c2bp/frontend"
	"c2bp/frontend/core"
)

// TestRows: whether numbers, or characters, may lie anywhere over a struct queue, since the program takes one for numbers.
// To access another word of a row of words that is a member says no such thing.
func TestRows(t *testing.T) {
	const head = `
struct queue { struct obj *peer; unsigned int half[2]; unsigned long state, more[2]; struct item *next; };
struct queue *get_queue(void), *get_queues(void); char *get_text(void); unsigned in(void);
static unsigned long test_bit(unsigned n, const unsigned long *word) { return word[n / 64] & (1UL << (n % 64)); }
static unsigned long test_one(unsigned n, const unsigned long *word) { const unsigned long *p = word + n / 64; return *p & (1UL << (n % 64)); }
static unsigned long test_two(unsigned n, const unsigned long *word) { const unsigned long *p = word + n / 64; if (in()) p = word + 1; return *p; }
static void set_bit(unsigned n, unsigned long *word) { *((char *)word + (n >> 3)) |= 1 << (n & 7); }
static void set_byte(unsigned n, void *bytes) { *((char *)bytes + n) = 1; }
`
	const no, yes, apart, ifApart = 0, 1, 2, 3 // apart: no if arrays and characters are apart; ifApart: yes if they are
	number, character := core.Shape{Size: 8}, core.Shape{Size: 1}
	for _, c := range []struct {
		body                string
		numbers, characters int // characters are asked for where they are apart
	}{
		{"test_bit(in(), &q->state);", apart, no},
		{"test_bit(in(), &q->more[1]);", apart, no},
		{"test_one(in(), &q->more[0]);", apart, no},
		{"test_bit(in(), &get_queues()[in()].state); get_queues()->state = 1;", apart, no},
		// Not just in one row.
		{"test_two(in(), &q->state);", yes, no},
		{"test_bit(in(), (unsigned long *)q);", yes, no},
		{"test_bit(in(), (unsigned long *)&q->half[0]);", yes, no},
		{"test_bit(in(), (unsigned long *)((char *)q + in()));", yes, no},
		{"test_bit(in(), &get_queues()[in()].more[0]); get_queues()->state = 1;", yes, no},
		// Bytes of numbers are no characters, unless nothing says that these are numbers.
		{"set_bit(in(), &q->state);", no, no},
		{"set_bit(in(), (unsigned long *)q);", ifApart, no},
		{"set_byte(in(), &q->state);", no, yes},
	} {
		prog := load(t, head+"int main(void) { struct queue *q = get_queue(); char *c = get_text(); c[0] = 1; q->state = 1; "+c.body+" return 0; }", frontend.Options{})
		queue := shapesOf(prog)["struct queue"]
		for _, isApart := range []bool{false, true} {
			prog.ArraysApart, prog.CharsApart = isApart, isApart
			r := alias.Analyze(prog)
			if got := r.MayMix(queue, number); got != (c.numbers == yes || c.numbers == apart && !isApart || c.numbers == ifApart && isApart) {
				t.Errorf("%s apart %v: numbers may be anywhere in a queue is %v", c.body, isApart, got)
			}
			if got := r.MayMix(queue, character); isApart && got != (c.characters == yes) {
				t.Errorf("%s apart %v: characters may be anywhere in a queue is %v", c.body, isApart, got)
			}
		}
	}
}

// TestRowsInCharacters: numbers that the program reads in an array of characters of a struct are in that array.
func TestRowsInCharacters(t *testing.T) {
	const text = `
struct card { void *owner; unsigned char tag; unsigned char rom[13]; void *base; }; struct card *get_card(void); unsigned in(void);
int main(void)
{
	struct card *c = get_card();
	c->base = 0;
	return ((unsigned short *)&c->rom[3])[in()];
}`
	prog := load(t, text, frontend.Options{})
	card := shapesOf(prog)["struct card"]
	for _, isApart := range []bool{false, true} {
		prog.ArraysApart, prog.CharsApart = isApart, isApart
		r := alias.Analyze(prog)
		for d := range card.Size {
			// The characters are at 9 to 21, so that these numbers are at 10, 12, ..., 20.
			want := d%2 == 0
			if isApart {
				want = want && d >= 10 && d <= 20
			}
			if got := r.MayLie(card, core.Shape{Size: 2}, d); got != want {
				t.Errorf("apart %v: two bytes at %d: %v", isApart, d, got)
			}
		}
	}
}

// TestBytesOfNumbers: a byte that the program writes as a part of a number is in no text, and may be in any number.
func TestBytesOfNumbers(t *testing.T) {
	const text = `
struct queue { void *owner; unsigned long state; int n; }; struct queue *get_queue(void), *get_other(void); char *get_text(void); unsigned in(void);
int main(void)
{
	struct queue *q = get_queue(), *o = get_other(); char *c = get_text();
	q->state = 1;
	q->n = 2;
	c[in()] = 3;
	*((char *)&o->state + (in() >> 3)) = 4;
	return 0;
}`
	prog := load(t, text, frontend.Options{})
	prog.ArraysApart, prog.CharsApart = true, true
	r := alias.Analyze(prog)
	w := writes(prog.Proc("main"))
	state, n, char, part := w[0], w[1], w[2], w[3]
	for _, c := range []struct {
		what string
		a, b *core.Mem
		want bool
	}{
		{"the byte and the number", part, state, true},
		{"the byte and another member", part, n, false},
		{"the byte and a text", part, char, false},
		{"a text and the number", char, state, false},
	} {
		if got := r.MayAlias(c.a, c.b); got != c.want {
			t.Errorf("%s may be one place: %v", c.what, got)
		}
	}
}
