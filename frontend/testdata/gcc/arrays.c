// Arrays: of arrays, of variable length, alloca, parameters, flexible members.
typedef __SIZE_TYPE__ size_t; void *malloc(size_t); void free(void *);
unsigned long sum;
static void add(long v) { sum = sum * 31 + (unsigned long)v; }
static int total(int n, int a[n]) { int t = 0; for (int i = 0; i < n; i++) t += a[i]; return t; }
static int trace(int n, int m[n][n]) { int t = 0; for (int i = 0; i < n; i++) t += m[i][i]; add(sizeof *m); return t; }
static void fill(int a[3][4]) { for (int i = 0; i < 3; i++) for (int j = 0; j < 4; j++) a[i][j] = 10 * i + j; }
static int third(int *a) { return a[2]; }
struct flex { int n; short data[]; };
int cube[2][3][4];
int main(void)
{
  int a[3][4]; fill(a); add(a[2][3]); add(*(*(a + 1) + 2)); add(*a[2]); add(sizeof a / sizeof *a); add(third(a[1])); add(&a[2][0] - &a[0][3]); int (*p)[4] = a; p++; add((*p)[3]); add(p - a); add(p[1][1]); int *q = *p; add(q[-1]);
  for (int i = 0; i < 24; i++) (&cube[0][0][0])[i] = i; 
  add(cube[1][2][3]); int (*c)[4] = cube[1]; add(c[1][1]); int (*cc)[3][4] = &cube[1]; add((*cc)[0][1]); add(sizeof cube[0]); cube[1][1][1] += 5; add(c[1][1]);
  int n = 4; int v[n]; for (int i = 0; i < n; i++) v[i] = i * i; add(total(n, v)); add(sizeof v); n = 7; add(sizeof v); add(v[3]);
  for (int k = 1; k < 4; k++) { int w[k][k]; for (int i = 0; i < k * k; i++) (&w[0][0])[i] = i; add(trace(k, w)); add(sizeof w); int (*r)[k] = w; add(r[k - 1][k - 1]); r++; add(r - w); }
  int m = 2; typedef int T[m]; m = 9; T t; t[0] = 1; t[1] = 5; add(t[1]); add(sizeof t); add(sizeof(T));
  char *s = __builtin_alloca(10); s[9] = 3; add(s[9]);
  struct flex *f = malloc(sizeof *f + 5 * sizeof(short)); if (!f) return 0; f->n = 5; for (int i = 0; i < f->n; i++) f->data[i] = i - 2; for (int i = 0; i < f->n; i++) add(f->data[i]); add(sizeof *f); short *d = f->data + 4; add(*d); add(d - f->data); free(f);
  int i = 0; a[i++][2] = 4; add(i); add(a[0][2]);
  return 0;
}
