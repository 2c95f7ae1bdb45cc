// Bit-fields: signed and unsigned, across bytes, in unions, assigned, incremented, copied.
unsigned long sum;
static void add(long v) { sum = sum * 31 + (unsigned long)v; }
struct b { unsigned a : 3; int b : 5; unsigned c : 9; _Bool d : 1; unsigned : 0; unsigned e : 20; signed char f : 4; long long g : 40; int h; unsigned i : 1; } x, y, *p = &x;
union { struct { unsigned lo : 4, hi : 4; } n; unsigned char byte; unsigned short both; } u;
struct flags { unsigned ready : 1, busy : 1, mode : 2, : 4, count : 8; }; struct flags table[3] = { { 1, 0, 2, 200 }, { .mode = 3 }, { .count = 9, .busy = 1 } };
int main(void)
{
  x.a = 5; x.b = -7; x.c = 300; x.d = 4; x.e = 0xabcde; x.f = -3; x.g = -(1LL << 35); x.h = 9; x.i = 1;
  add(x.a); add(x.b); add(x.c); add(x.d); add(x.e); add(x.f); add((long)(x.g >> 20)); add(x.h); add(x.i); y = x; x.a = 0; add(y.a); add(y.b); p->b = 3; add(x.b); add(x.c); x.a = 15; add(x.a); add(x.b); x.c++; add(x.c); x.c += 250; add(x.c); add(x.a--); add(--x.a); add(x.b = 20); add(x.b); x.b = x.a - 4; add(x.b); x.d = 0; add(x.d); x.d = p; add(x.d); x.d = !x.d; add(x.d); x.i++; add(x.i); x.i ^= 1; add(x.i); x.e <<= 3; add(x.e); x.e = ~x.e; add(x.e); x.f *= 2; add(x.f); add(x.a < -1); add(x.e - 0xfffff < 0); p->g = p->g + 1; add((long)(p->g & 0xff)); p = &y; p->a |= 2; add(y.a); x.a = y.a = 6; add(x.a);
  u.byte = 0x5a; add(u.n.lo); add(u.n.hi); u.n.lo = 1; add(u.byte); u.n.hi = 0xf; add(u.byte);
  for (int i = 0; i < 3; i++) { add(table[i].ready); add(table[i].busy); add(table[i].mode); add(table[i].count); table[i].count++; table[i].busy = i & 1; add(table[i].count); } struct flags f = { .mode = 1 }; f.ready = table[0].ready; add(f.ready); add(f.mode); if (f.ready && !f.busy) add(77); add(sizeof(struct flags)); add(sizeof x); struct flags *q = table + 1; q->mode = 5; add(q->mode); add((q++)->mode); add(q->count); _Bool ok = q->busy; add(ok); add(f.mode ? f.count : 5);
  return 0;
}
