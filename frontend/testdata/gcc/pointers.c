// Pointers: arithmetic, comparison, difference, pointers to pointers, bytes.
unsigned long sum;
static void add(long v) { sum = sum * 31 + (unsigned long)v; }
static void swap(int *a, int *b) { int t = *a; *a = *b; *b = t; }
static int *biggest(int *from, int *to) { int *best = from; for (; from < to; from++) if (*from > *best) best = from; return best; }
static void set(int **where, int *what) { *where = what; }
int g = 5, h, table[6] = {4, 8, 15, 16, 23, 42};
int *gp = &g, *tp = table + 2, **gpp = &gp;
int main(void)
{
  int x = 1, y = 2, *p = &x, *q = &y, **pp = &p;
  swap(p, q); add(x); add(y);
  swap(&x, *pp); add(x);
  *pp = q; add(*p); **pp = 7; add(y);
  set(&p, &x); *p += 10; add(x);
  set(pp, gp); *p = 9; add(g); add(**gpp);
  add(*tp); add(tp[-1]); add(-1[tp]); add(*(tp + 3)); add(tp - table); add(&table[5] - tp);
  p = table; q = p + 6;
  while (p != q) add(*p++);
  while (p > table) add(*--p);
  p = biggest(table, table + 6); add(p - table); add(*p);
  add(p == &table[5]); add(p != table); add(p <= q); add(p >= q); add(p < q); add(!p); add(p == 0); add(0 != p);
  p = 0; add(!p); add(p ? 1 : 2); add(p && *p); add(!p || *p);
  if (p) add(100); else add(200);
  unsigned u = 0x01020304; unsigned char *c = (unsigned char *)&u;
  for (int i = 0; i < 4; i++) add(c[i]);
  c[1] = 0xff; add(u); *(short *)c = -2; add(u);
  signed char *sc = (signed char *)&u; add(*sc); sc[3] = -128; add(u);
  void *v = &x; add(*(int *)v); v = table; add(((int *)v)[4]); add(*(int *)((char *)v + 8));
  const int *cp = table; cp += 2; add(*cp); cp -= 1; add(*cp); cp++; add(*cp); --cp; add(cp[0]);
  long d = cp - table; add(d); unsigned i = 1; add(*(cp + i)); add(*(cp - i)); unsigned char k = 1; add(cp[k]); _Bool one = 1; add(cp[one]);
  int (*row)[3] = (int (*)[3])table; add(row[1][2]); add((*row)[1]); row++; add((*row)[0]); add(sizeof *row);
  *&*&x = 77; add(x); add(*&x); p = &*q; add(p == q);
  long n = (long)table; add((int *)n == table); add((int *)(n + 4) == &table[1]);
  int *arr[3] = {&x, &y, &g}; *arr[1] = 3; add(y); int **a2 = arr; a2++; **a2 = 4; add(y); add(*a2[1]);
  p = &table[0]; *p++ = 1; *p = 2; (*p)++; ++*p; add(table[0]); add(table[1]); add(p - table);
  p = p > table ? p - 1 : p; add(p - table); add((p ? *p : 0));
  char text[4] = "abc", *s = text; *s++ = 'x'; *s = *(s + 1); add(text[0]); add(text[1]); add(text[2]); add(text[3]);
  return 0;
}
