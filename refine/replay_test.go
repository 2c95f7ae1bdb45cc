package refine

import (
	"strings"
	"testing"

	"c2bp/checker"
	"c2bp/refine/technique"
	"c2bp/verdict"
)

// TestReplays has programs whose failing runs have to be replayed from a model of their paths: no random run
// finds them.
func TestReplays(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
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
