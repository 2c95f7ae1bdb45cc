// Casts and unions: offsets in bytes, container_of, reinterpretation.
unsigned long sum;
static void add(long v) { sum = sum * 31 + (unsigned long)v; }
#define offsetof(t, m) ((unsigned long)&((t *)0)->m)
#define container_of(p, t, m) ((t *)((char *)(p) - offsetof(t, m)))
struct link { struct link *next, *prev; }; struct item { int id; struct link link; short tail[3]; }; struct item a, b; struct link head = { &head, &head };
static void insert(struct link *n) { n->next = head.next; n->prev = &head; head.next->prev = n; head.next = n; }
union word { unsigned u; int i; unsigned char c[4]; struct { short lo, hi; } h; int *p; unsigned long l; };
enum color { RED = 2, GREEN, BLUE = -1 };
int main(void)
{
  a.id = 10; b.id = 20; insert(&a.link); insert(&b.link); for (struct link *l = head.next; l != &head; l = l->next) add(container_of(l, struct item, link)->id);
  struct item *p = &a; unsigned long n = (unsigned long)p; n = n + offsetof(struct item, link); struct link *l = (struct link *)n; add(l->next == &head); add(*(int *)((unsigned long)p)); *(short *)((unsigned long)p + offsetof(struct item, tail) + 2) = 5; add(a.tail[1]); add(*(int *)((char *)p + 0)); add(((struct link *)((unsigned long)p + sizeof(void *)))->prev == &b.link);
  union word w; w.u = 0x80010203u; add(w.i); add(w.c[3]); add(w.h.lo); add(w.h.hi); w.c[0] = 0; add(w.i); w.h.hi = -1; add(w.u); w.p = &a.id; add(*w.p); add(w.l == (unsigned long)&a.id); union word x = w; add(x.p == &a.id);
  enum color c = BLUE, *cp = &c; add(c); *cp = GREEN; add(c); add(c == 3); unsigned char small = (unsigned char)(unsigned long)&a; add(small == (unsigned char)(unsigned long)p); add((_Bool)p); add((_Bool)(void *)0); _Bool f = p; add(f); add((long)(int *)4); add((int *)8 == (int *)(4 + 4)); add((char *)&a.tail - (char *)&a == offsetof(struct item, tail)); add(&a.tail[3] - a.tail);
  unsigned u = 5; int *ip = (int *)&u; *ip = -1; add(u == 0xffffffffu); short s = (short)0x12345; add(s); add((unsigned char)-1); add((signed char)200); long bits = (long)p & 7; add(bits == 0 || bits == 4);
  void *v = p; p = v; add(p->id); const struct item *q = p; add(q->id); struct item **pp = (struct item **)&v; add((*pp)->id); add(v == (void *)p); char *e = (char *)(p + 1); add(e - (char *)p == sizeof *p); add((unsigned long)(p + 1) - (unsigned long)p == sizeof(struct item));
  return 0;
}
