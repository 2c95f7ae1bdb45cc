// Flexible array members with static initialisers.
unsigned long sum;
static void add(long v) { sum = sum * 31 + (unsigned long)v; }
struct f { int n; short data[]; } g = { 3, { 1, 2, 3 } }, h = { 1 }; struct text { char len; char s[]; } t = { 3, "abc" }; struct two { short k; struct { int a, b; } in[]; } w = { 2, { { 1, 2 }, { 3 } } };
int main(void)
{
  for (int i = 0; i < g.n; i++) add(g.data[i]); static struct f loc = { 2, { 7, 8 } }; add(loc.data[1]); add(sizeof g); struct f c = g; add(c.n); struct f *p = &g; p->data[2] += 5; add(g.data[2]); add(t.s[2]); add(t.s[3]); char *s = t.s; add(s[1]); add(w.in[1].a + w.in[0].b); w.in[1].b = 9; add(w.in[1].b); add(h.n);
  return 0;
}
