// Side effects on memory: increments, compound assignments, their values, their order.
unsigned long sum;
static void add(long v) { sum = sum * 31 + (unsigned long)v; }
struct s { int a; unsigned char c; short *p; struct s *next; _Bool flag; unsigned u; };
struct s v, w; int arr[8]; int *gp = arr; int gi; short sh[3]; struct s *gs = &v;
static int bump(void) { gi++; arr[0] += 10; return gi; }
static int *where(void) { return &arr[gi++ & 7]; }
static int first(int *p) { int t = *p; *p = 9; return t; }
int main(void)
{
  int i = 0, x, *p = arr, *q;
  add(arr[i++]); add(i); arr[i++] = 5; add(arr[1]); arr[i] = i; add(arr[2]); arr[++i]++; add(arr[3]); arr[i--] += 4; add(arr[3]); add(i);
  *p++ = 3; *p++ += 2; (*p)++; ++*p; *++p = 8; add(p - arr); for (x = 0; x < 8; x++) add(arr[x]);
  x = *p--; add(x); x = (*p)--; add(x); add(*p); x = --*p; add(x); x = *--p; add(x); x = (*p += 3); add(x); x = *p = 6; add(x);
  v.a = 1; x = v.a++; add(x); x = ++v.a; add(x); v.c = 255; x = v.c++; add(x); add(v.c); x = --v.c; add(x); v.c += 300; add(v.c); x = v.c = 1000; add(x); v.c <<= 1; add(v.c); v.c = v.c >> 1 | 1; add(v.c);
  v.flag = 5; add(v.flag); v.flag++; add(v.flag); x = v.flag = &v; add(x); v.flag = v.next; add(v.flag); v.flag = !v.next; add(v.flag); v.flag -= 1; add(v.flag); v.u--; add(v.u > 5); v.u += 2; add(v.u);
  v.p = sh; *v.p++ = 7; *v.p++ = -7; add(v.p - sh); add(sh[0]); add(*--v.p); v.p[-1] *= 3; add(sh[0]); *v.p = 70000; add(sh[1]); v.next = &w; v.next->a = 4; v.next->next = &v; v.next->next->a = 11; add(v.a); add(w.a); v.next->next->next->a++; add(w.a);
  x = (arr[3] = 2) + (arr[4] = 3); add(x); x = arr[3]++ + arr[4]--; add(x); add(arr[3]); add(arr[4]); gi = 0; *where() = 50; *where() += 1; (*where())++; add(gi); for (x = 0; x < 8; x++) add(arr[x]);
  x = arr[0] + bump(); add(x); x = arr[0] * 2 - bump(); add(x); x = arr[0]; x += bump(); add(x); add(arr[0]); x = bump() + gi * 0; add(x); arr[5] = 1; x = first(&arr[5]); add(x); add(arr[5]);
  q = gp; *gp = 3; gp += 2; *gp = 4; gp -= 1; *gp-- = 5; add(gp == q); add(arr[0]); add(arr[1]); add(arr[2]); q = ++gp; add(*q); q = gp++; add(*q); add(*gp);
  gs->a = 3; (gs = &w)->a = 30; add(v.a); add(gs->a); gs = gs == &w ? &v : &w; add(gs->a); x = ({ struct s *t = gs; t->a += 2; t->a; }); add(x); q = ({ int *t = arr; t + 2; }); add(*q); p = 0; q = p ?: arr + 1; add(*q); q = q ?: p; add(*q);
  x = (add(1), arr[1]); add(x); x = arr[arr[3] & 3]; add(x); arr[arr[3] & 3] = 2; v.a = arr[2] > 1 && arr[1]++ > 2; add(v.a); arr[6] = arr[7] || arr[6]; add(arr[6]); v.a = x > 3 ? arr[1] : w.a; add(v.a); int **pp = &gp; **pp = 12; *++*pp = 13; add(gp - arr); add(*gp); add(arr[3]); 
  long long ll[2] = {1, 2}, *lp = ll; *lp++ <<= 40; *lp -= 5; add((long)(ll[0] >> 20)); add((long)ll[1]); unsigned char uc[2] = {250, 3}; uc[0] += uc[1] * 3; add(uc[0]); uc[1] = -1; add(uc[1]); uc[0] = uc[1] + 1; add(uc[0]); signed char sc = -3, *scp = &sc; *scp /= 2; add(sc); *scp %= 1; add(sc); *scp ^= 0x55; add(*scp);
  return 0;
}
