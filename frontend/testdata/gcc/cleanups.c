// The attribute cleanup: functions that are called where control leaves a block.
unsigned long sum;
static void add(long v) { sum = sum * 31 + (unsigned long)v; }
static void done(int *p) { add(*p); *p = -1; }
static void release(void *p) { add(**(int **)p); }
struct buffer { int used; char text[6]; };
static void empty(struct buffer *b) { add(b->used); add(b->text[2]); b->used = 0; }
#define CLEANUP(f) __attribute__((cleanup(f)))
static int loops(int n)
{
  CLEANUP(done) int a = 1;
  while (n-- > 0) {
    int b CLEANUP(done) = n;
    if (n == 5) break;
    if (n % 3 == 2) continue;
    for (int i = 0; i < 3; i++) {
      CLEANUP(done) int c = 10 * n + i, d __attribute__((unused)) = 2;
      if (i == n) break;
      if (i + n == 11) return a;
      if (i + n == 9) goto out;
      switch (i) { CLEANUP(done) int e; case 1: e = 4; break; default: e = 5; if (n == 7) continue; }
    }
  }
  do { CLEANUP(done) int f = 6; if (n < 0) break; } while (--n > 0);
out:
  add(a);
  return a + 1;
}
static int back(void)
{
  int i = 0;
again:;
  CLEANUP(done) int x = 20 + i;
  if (i++ < 3) goto again;
  if (i == 4) { CLEANUP(done) int y = 7; goto forward; }
  add(99);
forward:
  return x;
}
static int result(void) { CLEANUP(done) int x = 8; return x; }
static struct buffer copied(void) { CLEANUP(empty) struct buffer b = { 3, "abc" }; return b; }
static int g;
static struct buffer whole;
static void spoil(struct buffer *b) { add(whole.used); whole.used = 40 + b->used; }
static void set(int *p) { g = *p; }
static int values(void)
{
  int k = 5, *p = &k; CLEANUP(release) int *q = p;
  g = ({ CLEANUP(set) int x = 7; g + 1; });
  add(g);
  add(({ CLEANUP(set) int x = 9; x + 1; }) + 0 * k);
  add(g);
  if (({ CLEANUP(set) int x = 0; x; }) || g == 0) add(4);
  { CLEANUP(empty) struct buffer b; b = copied(); add(b.used); b.text[2] = 'z'; }
  whole = ({ CLEANUP(spoil) struct buffer b = { 1, "xyz" }; b.used++; b; }); add(whole.used); add(whole.text[2]);
  k = 6;
  return ({ CLEANUP(set) int x = 11; 12; }) + k;
}
static int heads(int n)
{
  int rounds = 0;
  for (int l CLEANUP(done) = n, once = 0; !once; once = 1) rounds++;
  for (int l CLEANUP(done) = 30; l < 36; l++) {
    for (CLEANUP(done) int m = 0; m < 3; m++) {
      if (m == n) break;
      if (l + n == 36) continue;
      if (l + m == 34 + n) goto out;
      if (l == 33 && n == 9) return rounds;
      switch (m) { case 1: for (int k CLEANUP(done) = 50;; k++) { if (k > 51) break; } }
      rounds++;
    }
    add(rounds);
  }
out:
  return rounds;
}
static int nested(int n) { CLEANUP(done) int x = n; if (n == 0) return 0; return nested(n - 1) + x; }
int main(void)
{
  for (int i = 0; i < 14; i++) add(loops(i));
  for (int i = 0; i < 12; i++) add(heads(i));
  add(back()); add(result()); add(values()); add(g); add(nested(4));
  return 0;
}
