// Structs: members, copies, by value, nested, anonymous, in conditions.
unsigned long sum;
static void add(long v) { sum = sum * 31 + (unsigned long)v; }
struct point { int x, y; };
struct line { struct point from, to; char name[4]; struct line *next; };
struct mixed { char c; long l; short s; union { int i; unsigned char b[4]; }; struct { int in1, in2; }; };
static struct point make(int x, int y) { struct point p; p.x = x; p.y = y; return p; }
static struct point moved(struct point p, int by) { p.x += by; p.y -= by; return p; }
static int area(struct line l) { l.from.x = l.to.x - l.from.x; return l.from.x * (l.to.y - l.from.y); }
static struct line *last(struct line *l) { while (l->next) l = l->next; return l; }
static struct line reversed(const struct line *l) { struct line r = *l; r.from = l->to; r.to = l->from; return r; }
struct point origin, grid[2][3];
struct line first = { {1, 2}, {3, 4}, "ab", 0 };
int main(void)
{
  struct point p = make(3, 4), q; q = p; q.x++; add(p.x); add(q.x); add(q.y);
  p = moved(p, 10); add(p.x); add(p.y); add(moved(q, 1).y); add(make(5, 6).x + make(7, 8).y);
  struct line a = { .to = p, .from.y = 2 }, b = a, *l = &b; add(a.from.x); add(a.from.y); add(b.to.x); add(area(b)); add(b.from.x);
  l->next = &a; a.next = 0; l->to = make(1, 1); add(last(l) == &a); last(l)->from.x = 9; add(a.from.x); add(l->next->to.y);
  *l = *l->next; add(l->to.x); add(l->next == 0); l->name[1] = 'z'; add(b.name[1]); add(a.name[1]);
  b = reversed(&first); add(b.from.x); add(b.to.y); add(b.name[0]); first = b; add(first.from.x);
  grid[1][2] = p; grid[0][1].x = 5; add(grid[1][2].x); struct point *g = &grid[0][0]; add(g[1].x); add(g[5].y); add(&grid[1][2] - g);
  for (int i = 0; i < 2; i++) for (int j = 0; j < 3; j++) grid[i][j] = make(i, j);
  for (g = grid[0]; g < grid[0] + 6; g++) add(g->x * 10 + g->y);
  struct mixed m = {0}; m.c = -1; m.l = 1L << 30; m.s = 300; m.i = 0x01020304; m.in2 = 8; add(m.b[0]); add(m.b[3]); m.b[1] = 9; add(m.i); add(m.in1); add(m.in2); add(m.c); add(m.l); add(m.s);
  struct mixed *mp = &m; add(mp->b[2]); mp->in1 = 3; add(m.in1); struct mixed m2; m2 = *mp; add(m2.i); add(m2.in2);
  struct point r = sum & 1 ? p : q; add(r.x); r = sum & 1 ? make(1, 2) : make(3, 4); add(r.y); r = (add(1), q); add(r.x);
  struct point s, t; s = t = p; add(s.x); add((t = q).x); add(t.y);
  struct { struct point in[2]; } w = { { {1, 2}, {3, 4} } }, w2; w2 = w; w.in[1].x = 100; add(w2.in[1].x); add(w.in[1].x); add(({ struct point z = w.in[1]; z; }).x);
  struct point *pp = &p; (*pp).x = 55; add(p.x); int *xp = &pp->y; *xp = 66; add(p.y); add((char *)xp - (char *)pp); (&p)->x = 1; add(p.x); (*&p).x = 2; add(p.x);
  add(origin.x); origin.x--; add(origin.x); origin.y += 3; origin.y <<= 2; add(origin.y); add(origin.y++); add(++origin.y); add(origin.x--);
  add(sizeof(struct line)); add(sizeof a.name); add(__builtin_offsetof(struct line, next));
  struct point two[2] = { make(1, 2), [1] = { .y = 4 } }; add(two[0].y); add(two[1].x); add(two[1].y);
  return 0;
}
