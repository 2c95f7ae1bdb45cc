// What the other programs leave out: recursion with addresses of locals, statics, chains of members, conditionals on objects, loops over everything.
unsigned long sum;
static void add(long v) { sum = sum * 31 + (unsigned long)v; }
struct leaf { short k; long long w; char tag[3]; }; struct tree { struct leaf leaves[2]; struct tree *sub[2]; struct leaf *best; double d; int depth; }; struct tree root, left = { .depth = 1 }, right = { .depth = 2, .sub = { &left, &root } };
struct pair { int a, b; }; enum level { LOW = -1, MID = 5, HIGH }; enum level levels[3] = { LOW, HIGH }, *lp = levels; _Bool marks[4] = { 2, 0, 1 };
static void down(int n, int *up) { int x = n, *own = &x; if (up) *up += x; if (n > 0) down(n - 1, own); add(x); if (up && n & 1) *up *= 2; }
static int *counter(void) { static int calls; calls++; return &calls; }
static struct pair *slot(int i) { static struct pair pool[3]; static struct pair *last = pool; last = &pool[i]; return last; }
static void bump(struct pair *p, int n) { while (n--) { p[n].a++; p[n].b -= p[n].a; } }
static struct pair flip(struct pair p) { return (struct pair){ p.b, p.a }; }
static long fold(int rows, int cols, int (*m)[cols]) { long t = 0; for (int i = 0; i < rows; i++) for (int *p = m[i]; p < m[i] + cols; p++) t = t * 3 + *p; return t; }
static const char *word(enum level l) { switch (l) { case LOW: return "low"; case MID: return "mid"; default: return "high"; } }
static void sort(int *a, int n) { for (int i = 1; i < n; i++) for (int j = i; j > 0 && a[j - 1] > a[j]; j--) { int t = a[j]; a[j] = a[j - 1]; a[j - 1] = t; } }
static int depth(const struct tree *t) { int d = 0; do d += t->depth; while ((t = t->sub[0])); return d; }
static int **deep(int ***p) { return *p; }
union num { long long ll; struct { int lo, hi; } w; short s[4]; unsigned char c[8]; struct pair p; };
int main(void)
{
  down(4, 0); (*counter())++; add(*counter()); *counter() += 5; add(*counter()); slot(1)->a = 4; slot(2)->b = slot(1)->a + 1; add(slot(2)->b); *slot(0) = *slot(2); add(slot(0)->b);
  root.leaves[1].w = -(1LL << 40); root.leaves[1].k = 70000; root.leaves[0].tag[2] = 'q'; root.sub[1] = &right; root.best = &root.leaves[1]; right.sub[0]->depth = 40; left.best = root.best; left.best->tag[1] = 'z'; add(root.sub[1]->sub[0]->best->k); add((long)(root.best->w >> 32)); add(root.leaves[1].tag[1]); add(root.sub[1]->sub[1]->leaves[0].tag[2]); add(depth(&right)); root.sub[1]->sub[1]->leaves[0].w++; add((long)root.leaves[0].w); root.leaves[0] = *root.best; add(root.leaves[0].k); add(sizeof(struct tree)); add(sizeof(struct leaf)); add((char *)&root.best - (char *)&root); add(&root.leaves[1] - root.leaves);
  add(*lp); add(*++lp); *lp++ = MID; add(levels[1]); add(*lp); for (lp = levels; lp < levels + 3; lp++) add(word(*lp)[1]); for (int i = 0; i < 4; i++) add(marks[i]); marks[3] = &root; marks[0] = marks[1] = 7; add(marks[0] + marks[1] + marks[3]);
  struct pair ps[3] = { { 1, 2 }, { 3, 4 } }, *pp = ps; bump(ps, 3); for (int i = 0; i < 3; i++) add(ps[i].a * 100 + ps[i].b); ps[0] = ps[1]; ps[2] = flip(ps[1]); add(ps[0].b); add(ps[2].a); int i = 1, j = 2; ps[i] = ps[j]; add(ps[1].a); (i < j ? &ps[0] : &ps[1])->a = 60; add(ps[0].a); add((i > j ? ps[0] : ps[1]).b); add((*(pp + 1)).b); pp = &ps[2]; add(pp[-2].a); add((--pp)->b); add(pp++->a); add(pp - ps); add(flip(flip(*pp)).a); *pp = (struct pair){ .b = 9 }; add(ps[2].a); add(ps[2].b);
  int m[2][3] = { { 1, 2, 3 }, { 4, 5, 6 } }, *row = m[1]; add(fold(2, 3, m)); row[-1] = 50; add(m[0][2]); sort(&m[0][0], 6); add(fold(2, 3, m)); sort(m[1], 2); int **grid[2], *cells[2] = { m[0], m[1] + 1 }; grid[0] = cells; grid[1] = cells + 1; add(grid[1][-1][2]); add(**grid[1]); int ***g3 = &grid[1]; add(***g3); **deep(g3) = 77; add(m[1][1]);
  for (int k = 0; k < 3; k++) { int t[3] = { k }; int u; int *q = &u; struct pair z = { .b = k }; t[1] += 5; *q = t[1] + t[2]; z.a++; add(u + t[0] + z.a * z.b); if (k == 1) continue; char c = (char)(t[1] = 300 + k); add(c); short s; int w; w = s = c = 200 + k; add(w); add(s); }
  union num n = { 0x0102030405060708LL }; add(n.w.lo); add(n.w.hi); add(n.s[1]); add(n.c[7]); n.p.b = -1; add((long)(n.ll >> 32)); union num n2; n2 = n; n2.c[0]++; add(n2.w.lo); n.p = (struct pair){ 5, 6 }; add(n.w.hi); add(n.s[2]); union num *np = &n2; *np = n; add(np->c[4]); add(n2.p.a);
  const char *names[] = { "alpha", "be", 0 }; int letters = 0; for (const char **s = names; *s; s++) for (const char *c = *s; *c; c++) letters += *c == 'a' ? 10 : 1; add(letters); goto past; { int skipped = 3; int *never; past: never = &skipped; *never = 4; add(skipped); }
  unsigned char bytes[sizeof(struct pair)]; struct pair out, in = { 0x11223344, -2 }; for (unsigned k = 0; k < sizeof in; k++) bytes[k] = ((unsigned char *)&in)[k]; for (unsigned k = sizeof in; k-- > 0;) *((unsigned char *)&out + k) = bytes[k]; add(out.a); add(out.b); long total = 0; for (int *a = &in.a, *e = &in.b; a <= e; a++) total += *a; add(total); int x = 5, *px = &x, **ppx = &px, ***pppx = &ppx; ***pppx += *px + **ppx; add(x); px = 0; add(*pppx == &px); add(**pppx == 0);
  return 0;
}
