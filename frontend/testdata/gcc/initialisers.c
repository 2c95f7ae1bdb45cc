// Initialisers: designators, missing braces, strings, unions, ranges, compound literals, tables.
unsigned long sum;
static void add(long v) { sum = sum * 31 + (unsigned long)v; }
struct in { int a, b; }; struct out { struct in one; int arr[3]; struct in many[2]; char s[5]; };
union u { int i; struct { char c, d; } cc; char bytes[8]; };
struct out g1 = { 1, 2, 3, 4, 5, 6, 7, 8, 9, "xyz" }, g2 = { .many[1].b = 5, .arr = { [2] = 7 }, .one.b = 1 }, g3 = { { 1 }, { 2 }, { { 3 } }, { 'q' } };
struct out g4 = { .arr[1] = 5, 6, 7, .s = "abcde" }, g5[2] = { [1].one.a = 3, 4, 5, [0] = { .s = { "hi" } } };
union u u1 = { 5 }, u2 = { .cc = { 1, 2 } }, u3 = { .bytes = "abc" }, u4 = { .cc.d = 9, .cc.c = 8 };
int m[3][2] = { 1, 2, 3, 4 }, n[][2] = { { 1 }, 2, 3, { 4 } }, r[10] = { [2 ... 4] = 7, [8] = 1, 2 }, z[4] = {};
char str[] = "hello", str2[3] = "abc", *names[] = { "one", "two", "three" }, strs[2][4] = { "ab", "cde" };
int *ptrs[3] = { &m[1][1], r + 3, 0 }; struct in *ip = &g5[1].many[0]; int *lit = (int[]){ 3, 2, 1 }; struct in *ilit = &(struct in){ .b = 4 };
struct ops { int (*f)(int); const char *name; struct in data; } ; static int inc(int x) { return x + 1; } static int dbl(int x) { return 2 * x; }
struct ops ops[] = { { inc, "inc", { 1, 2 } }, { .f = dbl, .data.b = 6 } };
const unsigned char table[64] = { 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31, 33, 35, 37, 39, 41, 43, 45, 47, 49, 51, 53, 55, 57, 59, 61, 63, 65, 67, [40] = 200, 201, 202 };
struct in big[20] = { {1,2},{3,4},{5,6},{7,8},{9,10},{11,12},{13,14},{15,16},{17,18},{19,20},{21,22},{23,24},{25,26},{27,28},{29,30},{31,32},{33,34},{-35,36} };
long double ld = 1.5; struct { int a; double d; int b; } withdouble = { 1, 2.5, 3 };
static void bytes(const void *p, unsigned long n) { const unsigned char *c = p; while (n--) add(*c++); }
static int local(int k)
{
  struct out o = { .many = { { k }, { k + 1, k + 2 } }, .one = { k } }; int a[5] = { k, [3] = k * 2 }, b[] = { k, k }; char s[] = "xy", t[6] = "pq";
  bytes(&o, sizeof o); bytes(a, sizeof a); bytes(b, sizeof b); bytes(s, sizeof s); bytes(t, sizeof t);
  struct in i = (struct in){ k, .b = 3 }; struct in *p = &(struct in){ .a = k }; p->b++; bytes(&i, sizeof i); bytes(p, sizeof *p);
  int *q = (int[4]){ k, 1 }; q[2] = q[0] + q[1]; bytes(q, 16); add((int){ k }); add(*&(int){ k + 1 }); i = (struct in){ i.b, i.a }; bytes(&i, sizeof i);
  static int calls = 3, *where = &calls; *where += 1; add(calls); static struct in si = { 7 }; si.a++; add(si.a); add(si.b);
  struct in c[2] = { [0] = i, [1] = *p }; bytes(c, sizeof c); union u w = { .cc = { .d = k } }; add(w.cc.d); add(w.cc.c); struct in e = {}; bytes(&e, sizeof e);
  struct { struct in x; struct { int y, z; }; } an = { .x.a = 1, .z = 2 }; add(an.x.a); add(an.y); add(an.z); struct in cp = i, cp2[1] = { cp }; add(cp2->a);
  return a[3];
}
int main(void)
{
  bytes(&g1, sizeof g1); bytes(&g2, sizeof g2); bytes(&g3, sizeof g3); bytes(&g4, sizeof g4); bytes(g5, sizeof g5); add(u1.i); add(u2.cc.d); bytes(&u3, 8); add(u4.cc.c); add(u4.cc.d);
  bytes(m, sizeof m); bytes(n, sizeof n); add(sizeof n); bytes(r, sizeof r); bytes(z, sizeof z); bytes(str, sizeof str); bytes(str2, sizeof str2); bytes(strs, sizeof strs);
  for (int i = 0; i < 3; i++) bytes(names[i], 4); add(*ptrs[0]); add(*ptrs[1]); add(ptrs[2] == 0); add(ip->a); ip->b = 3; add(g5[1].many[0].b); add(lit[1]); add(ilit->b);
  for (int i = 0; i < 2; i++) { add(ops[i].f(10)); add(ops[i].data.b); add(ops[i].name ? ops[i].name[1] : -1); }
  bytes(table, sizeof table); bytes(big, sizeof big); add(withdouble.a); add(withdouble.b); add(local(4)); add(local(5)); bytes("lit\0eral", 9); add(sizeof "abc"); add("abc"[1]); add(*"q");
  return 0;
}
