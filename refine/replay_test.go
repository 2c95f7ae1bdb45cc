package refine

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"c2bp/checker"
	"c2bp/frontend"
	"c2bp/refine/technique"
	"c2bp/source"
	"c2bp/verdict"
)

// TestReplays has programs whose failing runs have to be replayed from a model of their paths: no random run
// finds them.
func TestReplays(t *testing.T) {
	t.Parallel()
	// A read of a->next after so many writes may meet each of them.
	var given, linked strings.Builder
	for i := range 30 {
		fmt.Fprintf(&given, "  give(&n%d);\n", i)
		fmt.Fprintf(&linked, "  n%d.next = &n%d;\n", i, (i+1)%30)
	}
	// A list from outside, up to the end of its only element.
	const oneJob = `
struct list { struct list *next; };
struct dev { long pad[8]; int id; struct list jobs; int key; struct dev *next; };
struct job { long n[3]; int key; struct list link; };
struct dev *get(void);
static struct job *entry(struct list *l) { return (struct job *)((char *)l - __builtin_offsetof(struct job, link)); }
int main(void)
{
  struct dev *d = get();
  struct job *j = entry(d->jobs.next);
  int sum;
  if (&j->link == &d->jobs) return 0;
  sum = j->key;
  j = entry(j->link.next);`
	nodes := "struct node " + regexp.MustCompile(`.*&(n\d+).*\n`).ReplaceAllString(given.String(), "$1, ") + "last;\n"
	for name, text := range map[string]string{
		// Of the many pointers that the path may follow, it follows four, of which two are equal.
		"many writes": "struct node { struct node *next; int value; };\n" + nodes + `
struct node *get(int i); void give(struct node *n);
int main(void)
{
  struct node *a, *b;
` + given.String() + "  a = get(0);\n  b = get(1);\n  if (!a || !b) return 0;\n" + linked.String() + `
  if (!a->next || !b->next || a->next->value != 771234 + b->value || b->value != 4 * a->value + 99173) return 0;
  a->next->value = 1;
  b->next->value = 2;
  if (a->next->value != 1) { ERROR: ; }
  return 0;
}`,
		// The same, and the first access is through a->next.
		"many writes, chained": "struct node { struct node *next; int value; };\n" + nodes + `
struct node *get(int i); void give(struct node *n); int measure(int n);
int main(void)
{
  struct node *a, *b;
` + given.String() + linked.String() + `
  a = get(0);
  measure(a->next->value);
  b = get(1);
  measure(b->next->value);
  if (a->next->value != 771234 + b->value || b->value != 4 * a->value + 99173) return 0;
  a->next->value = 1;
  b->next->value = 2;
  if (a->next->value != 1) { ERROR: ; }
  return 0;
}`,
		// Bytes are written at distances that are not known, and not so far that they were in other objects.
		"bytes anywhere": `
struct buf { unsigned char *data; struct buf *next; int value; };
struct buf *get(int i); int measure(int i);
int main(void)
{
  struct buf *a = get(0), *b = get(1);
  int n = measure(2);
  if (!a || !b || !a->data || n < 0 || n > 9) return 0;
` + strings.Repeat("  a->data[n]++;\n", 30) + `
  if (!a->next || !b->next || a->next->value != 771234 + b->value || b->value != 4 * a->value + 99173) return 0;
  a->next->value = 1;
  b->next->value = 2;
  if (a->next->value != 1) { ERROR: ; }
  return 0;
}`,
		// Of the numbers that the conditions allow, few are those of an element of own.mask.
		"element": `
struct chip { unsigned char mask[50]; int state; };
struct chip *get(void); int measure(int n);
static struct chip own;
static void set(unsigned char *p, int n) { p[n] = 7; }
int main(void)
{
  struct chip *c = get();
  int n = measure(1), m = measure(2), k = measure(3);
  if (!c || c->state != 771234 || n + m != 10007 || m - k != 9990 || k + n < 1) return 0;
  own.state = 3;
  set(own.mask, n);
  set(c->mask, m - 10000);
  if (own.state == 3) { ERROR: ; }
  return 0;
}`,
		// What is just after an array is none of its elements, and may be computed.
		"just after": `
struct chip { unsigned char mask[50]; int state; };
struct chip *get(void); int measure(int n);
static unsigned char own[50];
static unsigned char *at(unsigned char *p, int n) { return p + n; }
int main(void)
{
  struct chip *c = get();
  int n = measure(1), m = measure(2);
  unsigned char *end;
  if (!c || c->state != 771234 || n + m != 10007) return 0;
  end = at(own, n);
  c->state = 5;
  if (m == 9957 && end != own && c->state == 5) { ERROR: ; }
  return 0;
}`,
		// The nearest trace leaves the loop at once, as if the byte were in *b: it is not, and the loop has two rounds.
		"bytes of another": `
struct buf { unsigned char *data; int value; };
struct buf *get(void);
int main(void)
{
  struct buf *b = get();
  int i, sum = 0;
  if (!b || !b->data || b->value != 771234) return 0;
  b->data[0] = 2;
  for (i = 0; i < b->data[0]; i++) sum += b->data[i + 1];
  b->value = 1;
  if (sum >= 0) { ERROR: ; }
  return 0;
}`,
		// Of the objects that find may return, the formulas do not say that it knows one only.
		"known": `
struct job { int key; int state; };
struct job *find(void); void publish(struct job *j); int measure(int n);
static struct job a, b, c, d, e, f, g, h, k, l, m, o;
int main(void)
{
  struct job *j;
  int n = measure(1);
  publish(&c);
  j = find();
  publish(&a);
  publish(&b);
  publish(&d); publish(&e); publish(&f); publish(&g); publish(&h); publish(&k); publish(&l); publish(&m); publish(&o);
  a.key = b.key = c.key = d.key = e.key = f.key = g.key = h.key = k.key = l.key = m.key = o.key = measure(2);
  a.state = b.state = c.state = d.state = e.state = f.state = g.state = h.state = k.state = l.state = m.state = o.state = 1;
  if (!j || j->key + n != 10007 || j->key != 20000) return 0;
  j->state = 2;
  if (a.state + b.state + c.state + d.state + e.state + f.state + g.state + h.state + k.state + l.state + m.state + o.state != 12) { ERROR: ; }
  return 0;
}`,
		// A function without a body returns what is stored in memory that it does not reach.
		"stored": `
struct adc { int on; int value; };
int measure(int n); void publish(struct adc *a); void *malloc(unsigned long n);
int main(void)
{
  struct adc *a = malloc(sizeof *a);
  if (!a) return 0;
  publish(a);
  a->value = measure(3);
  if (a->value * 3 == 37035) { ERROR: ; }
  return 0;
}`,
		// A register is an input, though a header reads it by assembly.
		"register": `
#line 1 "io.h"
static inline unsigned readl(const volatile void *at)
{ unsigned x; __asm__ volatile("movl %1, %0" : "=r" (x) : "m" (*(volatile unsigned *)at) : "memory"); return x; }
static inline void writel(unsigned x, volatile void *at)
{ __asm__ volatile("movl %0, %1" : : "r" (x), "m" (*(volatile unsigned *)at) : "memory"); }
#line 8 "in.c"
void *ioremap(unsigned long n);
int main(void)
{
  char *regs = ioremap(16);
  if (!regs) return 0;
  writel(1, regs + 4);
  if (readl(regs + 8) * 3 == 37035) { ERROR: ; }
  return 0;
}`,
		// The object is met by a pointer into its middle: next is where its size allows it all the same.
		"middle": `
struct dev { int id, lock; struct dev *next; int key; };
int *get_lock(void); struct dev *get(void); void *malloc(unsigned long n);
int main(void)
{
  int *l = get_lock();
  struct dev *d = get();
  if (!l || !d || l != &d->lock || *l * 5 != 70015) return 0;
  if (d->next && d->next->key * 3 == 37035) { ERROR: ; }
  return 0;
}`,
		// An integer from outside leads to an object.
		"number": `
struct task { struct task *parent; int flags; };
extern struct task *current_task;
int main(void)
{
  unsigned long n;
  __asm__("movq %%gs:%P1, %0" : "=r" (n) : "p" (&current_task));
  struct task *t = (struct task *)n;
  if (!t || !t->parent || t->parent == t) return 0;
  if (t->parent->flags * 3 == 37036 + t->flags && t->flags * 5 == 1240) { ERROR: ; }
  return 0;
}`,
		// The same, with a mark in its last bit.
		"marked": `
struct page { volatile unsigned long head; int users; int flags; };
struct page *get(void);
int main(void)
{
  struct page *p = get();
  if (!p) return 0;
  unsigned long n = p->head;
  if (!(n & 1)) return 0;
  struct page *q = (struct page *)(n - 1);
  if (q == p || q->users * 3 != 37036 + p->users || p->users * 5 != 1240) return 0;
  ERROR: ;
  return 0;
}`,
		// Marks that the program takes away without looking at them.
		"masked": `
struct route { int family, gateway; };
struct packet { unsigned long route; int key; struct packet *next; };
struct packet *get(int n);
int main(void)
{
  struct packet *p = get(0), *q = get(1);
  if (!p || !q || p->route % 4 != 2) return 0;
  struct route *r = (struct route *)(p->route & ~3ul);
  if (r->family * 3 != 37035 + p->key || q->next->key != r->family + 771234) return 0;
  if (q->next->next->key == r->gateway * 5 + 99173 && r->gateway == p->key + 4) { ERROR: ; }
  return 0;
}`,
		// The same where the pointer may also be one that the program has put there.
		"masked, or own": `
struct route { int family, gateway; } own;
struct packet { unsigned long route; int key; struct packet *next; };
struct packet *get(int n);
int main(void)
{
  struct packet *p = get(0), *q = get(1);
  if (!p || !q || p->route % 4 != 2) return 0;
  q->route = (unsigned long)&own;
  struct route *r = (struct route *)(p->route & ~3ul);
  if (r->family * 3 != 37035 + p->key || q->next->key != r->family + 771234) return 0;
  if (p != q && q->next->next->key == r->gateway * 5 + 99173 && r->gateway == p->key + 4) { ERROR: ; }
  return 0;
}`,
		// Where nothing else is said, shifts are by less than the width, and divisors are not 0.
		"defined": `
struct chip { unsigned short lines, rate; int key, speed; unsigned long mask; struct chip *next; };
struct chip *get(int n);
int main(void)
{
  struct chip *c = get(0);
  if (!c || !c->next) return 0;
  c->mask = ~0ul >> (63 - (c->lines - 1));
  c->speed = 1000 / c->rate;
  if (c->key * 3 == 37035 && c->next->key == c->key + 771234) { ERROR: ; }
  return 0;
}`,
		// The pointer at the end of a list leads to its head, which is in no element.
		"end of a list": oneJob + `
  if (&j->link == &d->jobs && sum * 5 == 1240 && d->key * 3 == 37035 + d->id && d->next->id == d->id + sum) { ERROR: ; }
  return 0;
}`,
		// What is freed there is an object of its own.
		"freed": `void free(void *p);` + oneJob + `
  if (&j->link != &d->jobs || sum * 5 != 1240 || d->key * 3 != 37035 + d->id || !d->next) return 0;
  free(d->next);
  if (sum == 248) { ERROR: ; }
  return 0;
}`,
		// The shortest path goes a way that no object allows, and that does not matter.
		"another way": `
struct dev { int id, key; struct dev *next; };
struct dev *get(void);
int main(void)
{
  struct dev *d = get();
  int low = 0;
  unsigned long a = (unsigned long)d, physical = a - 0xffffffff80000000ul;
  if (a > physical) low = 1;
  if (d->key * 3 != 37035 || d->next->key != d->key + 771234) return 0;
  d->id = low;
  ERROR: ;
  return 0;
}`,
		// The run needs a change by a function without a body: without one there is an object less.
		"loaded": `
struct blob { int id, n; };
static struct blob *b;
void load(struct blob **to);
int main(void)
{
  load(&b);
  if (b->n * 3 == 37035) { ERROR: ; }
  return 0;
}`,
		// The nearest trace rests on a change that no replay can make: of x by touch, to which nothing leads.
		"quietly": `
struct node { struct node *next; int n; } x;
struct node *first(void); void publish(struct node *x); int measure(int n); void touch(struct node *x);
int main(void)
{
  struct node *a = first();
  publish(&x);
  x.n = 5;
  while (measure(0)) {
    if (measure(1) * 7 == 70014) x.n = 6;
  }
  touch(a);
  if (x.n == 6) { ERROR: ; }
  return 0;
}`,
		// The same, and the nearest trace need not rest on it.
		"still": `
struct node { struct node *next; int n; } x, y;
struct node *first(void); void publish(struct node *x); int measure(int n); void touch(struct node *x);
int main(void)
{
  struct node *a = first();
  int n = measure(1);
  publish(&x);
  publish(&y);
  x.n = 5;
  y.n = measure(2);
  touch(a);
  if (x.n + n == 10007 && y.n + n == 20000) { ERROR: ; }
  return 0;
}`,
		// Memory is read as a signed number, and the variable is unsigned.
		"unsigned": `
extern unsigned flags; void publish(int *x);
int main(void)
{
  int *p = (int *)&flags;
  publish(p);
  if (*p / 3 == -1234567) { ERROR: ; }
  return 0;
}`,
		// The bits of numbers are chosen by shifts.
		"bits": `
struct chip { unsigned long number, on[1], level[1]; };
struct chip *get(int n);
int main(void)
{
  struct chip *a = get(0), *b = get(1);
  if (!a || !b || a->number == b->number || a->number % 64 < 7 || b->number % 64 < 9) return 0;
  if (!(a->on[0] & 1ul << a->number % 64) || b->on[0] & 1ul << b->number % 64) return 0;
  a->level[0] |= 1ul << a->number % 64;
  b->level[0] &= ~(1ul << b->number % 64);
  if (a->level[0] % 128 == 83 && b->level[0] % 512 == 301) { ERROR: ; }
  return 0;
}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o, log := auditText(t, text, Options{Without: technique.Of(technique.Fuzzing), Checker: checker.Options{ErrorLabels: checker.DefaultErrorLabels()}})
			if o.Result.Verdict != verdict.False {
				t.Errorf("%v (%s), want FALSE\n%s", o.Result.Verdict, o.Result.Reason, log)
			}
			// Another audit is for what needs it.
			if again := strings.Contains(log, "once more"); again != (name == "quietly") {
				t.Errorf("audited once more: %v\n%s", again, log)
			}
		})
	}
}

// TestReplaysStrays has a program whose failing run needs a pointer that leaves its object, which the compiler allows, and comes back.
func TestReplaysStrays(t *testing.T) {
	t.Parallel()
	const text = `
struct chip { int state; };
struct chip *get(void); int measure(int n);
static int own[50];
static int *at(int *p, int n) { return p + n; }
int main(void)
{
  struct chip *c = get();
  int n = measure(1), m = measure(2);
  int *p;
  if (!c || c->state != 771234 || n + m != 10007 || m < 10017) return 0;
  p = at(own, n);
  *at(p, m - 10007) = 5;
  if (own[0] == 5) { ERROR: ; }
  return 0;
}`
	unit, err := frontend.Load(t.Context(), []*source.File{source.NewFile("in.c", []byte(text))}, frontend.Options{Strays: true})
	if err != nil {
		t.Fatal(err)
	}
	o, err := Audit(t.Context(), unit.Program, Options{Iterations: 60, Without: technique.Of(technique.Fuzzing), Checker: checker.Options{ErrorLabels: checker.DefaultErrorLabels()}})
	if err != nil {
		t.Fatal(err)
	}
	if o.Result.Verdict != verdict.False {
		t.Errorf("%v (%s), want FALSE", o.Result.Verdict, o.Result.Reason)
	}
}
