// Pointers to functions: tables, members, arguments, results, comparison; variable arguments; K&R.
#include <stdarg.h>
unsigned long sum;
static void add(long v) { sum = sum * 31 + (unsigned long)v; }
typedef int (*binary)(int, int);
static int plus(int a, int b) { return a + b; }
static int minus(int a, int b) { return a - b; }
static int times(int a, int b) { return a * b; }
static binary pick(char c) { switch (c) { case '+': return plus; case '-': return &minus; } return 0; }
static int apply(binary f, int a, int b) { return f ? f(a, b) : -1; }
static void each(int *a, int n, void (*f)(int *, void *), void *data) { for (int i = 0; i < n; i++) f(&a[i], data); }
static void accumulate(int *x, void *data) { *(long *)data += *x; *x = -*x; }
struct ops { binary f; struct { void (*note)(long); } in; }; 
static struct ops table[] = { { plus, { add } }, { times, { add } } };
static int (*const consts[2])(int, int) = { minus, times };
static int addall(int n, ...) { va_list ap; int t = 0; va_start(ap, n); while (n-- > 0) t += va_arg(ap, int); va_end(ap); return t; }
static long mix(const char *kinds, ...)
{
  va_list ap, again; long t = 0; va_start(ap, kinds); va_copy(again, ap);
  for (; *kinds; kinds++) switch (*kinds) { case 'i': t = t * 7 + va_arg(ap, int); break; case 'l': t = t * 7 + va_arg(ap, long); break; case 'p': t = t * 7 + *va_arg(ap, int *); break; case 'c': t = t * 7 + (char)va_arg(ap, int); break; }
  t += va_arg(again, int); va_end(again); va_end(ap); return t;
}
static int inner(int n, va_list ap) { int t = 0; while (n-- > 0) t = t * 3 + va_arg(ap, int); return t; }
static int outer(int n, ...) { va_list ap; va_start(ap, n); int t = inner(n, ap); va_end(ap); return t; }
static int old(a, b, c) int a; char b; short *c; { *c += b; return a - b; }
static int noproto(); static int noproto(a) int a; { return a * 3; }
static void (*getter(void))(long) { return add; }
int main(void)
{
  add(apply(plus, 3, 4)); add(apply(pick('-'), 3, 4)); add(apply(pick('x'), 3, 4)); add(pick('+')(1, 2)); add((*pick('-'))(1, 2)); add((**plus)(5, 6));
  binary f = times; add(f(3, 4)); add(f == times); add(f != plus); add(!f); f = 0; add(f == 0); add(plus == &plus); 
  for (int i = 0; i < 2; i++) { add(table[i].f(5, 6)); table[i].in.note(i); add(consts[i](9, 2)); add((i ? plus : minus)(7, 8)); }
  int a[3] = {1, 2, 3}; long t = 0; each(a, 3, accumulate, &t); add(t); add(a[2]); binary *fp = &f; f = minus; add((*fp)(1, 5)); struct ops o = table[1], *op = &o; add(op->f(2, 2)); op->f = plus; add(o.f(2, 3)); add(table[1].f(2, 3));
  add(addall(0)); add(addall(3, 10, 20, 30)); short s = -5; add(addall(2, s, 'a')); add(addall(1, (unsigned char)200));
  int k = 42; long big = 1L << 20; add(mix("ilpc", 5, big, &k, 300)); add(mix("i", -1)); add(outer(3, 1, 2, 3));
  short sh = 3; add(old(10, 'b', &sh)); add(sh); add(noproto(7)); getter()(99); void *v = (void *)plus; add(((binary)v)(20, 22));
  return 0;
}
