// Rows of arrays of arrays, and pointers to them.
unsigned long sum;
static void add(long v) { sum = sum * 31 + (unsigned long)v; }
unsigned grid[2][4];
int cube[6][3][5];
struct { int rows[6][3]; } s, *ps = &s;
unsigned (*p)[4], (*fixed)[4] = &grid[1] - 1;
static long apart(void *a, void *b) { return (char *)a - (char *)b; }
static long formals(unsigned a[4], unsigned b[][4])
{
  unsigned **pa = &a; add((*(&a + 0))[1]); add(sizeof(*&a)); add(sizeof((&a)[0])); add(apart(&a + 1, &a)); add((*pa)[2]);
  add((&b[1])[0][1]); add(apart(&b + 1, &b)); add((*&b)[1][1]); return sizeof(*(&a + 0));
}
static long formal(int a[7])
{
  enum { whole = sizeof(a), pointed = sizeof *&a, sum = sizeof(a + 0) }; int y[sizeof(a)]; static int st = sizeof(a);
  switch (8) { case sizeof(a): add(whole + pointed + sum); break; default: add(-1); } return st + sizeof y;
}
int main(void)
{
  for (int i = 0; i < 8; i++) (&grid[0][0])[i] = i; for (int i = 0; i < 90; i++) (&cube[0][0][0])[i] = i; p = grid;
  add(&grid[1] - grid); add(&grid[1] - p); add(&grid[1] - &grid[0]); add((&cube[4] - cube) & 1023); add(&cube[4][2] - &cube[3][0]);
  add(apart(&grid[0] + 1, grid)); add(apart(&cube[0] + 1, cube)); add(apart(&cube[0][1] + 1, cube)); add(apart(&*cube + 1, cube)); add(apart(&cube + 1, cube));
  add(apart(&s.rows + 1, &s)); add(apart(&s.rows[0] + 1, &s)); add(apart(&ps->rows[0] + 1, &s)); add(apart(&(s.rows[1]) - 1, &s)); add(apart(&(*ps).rows + 1, &s));
  add(apart(1 + &grid[0], grid)); add(apart((&grid[0]) + 1, grid)); add(apart(&0[grid] + 1, grid)); add(apart(&p[0] + 1, grid)); add(apart(&*p + 1, grid)); add(apart(&(*p)[0] + 1, grid));
  add(apart(&(&grid[0])[1], grid)); add(apart(&(&grid[0])[1][1], grid)); add(apart(*&grid[0] + 1, grid)); add(apart(grid[0] + 1, grid)); add(apart(&grid[0][0] + 1, grid));
  add(sizeof *&grid[0]); add(sizeof (&grid[0])[0]); add(sizeof *(&grid[0] + 1)); add(sizeof (&grid[0] + 1)[0][1]); add(sizeof (0, grid[1]));
  (&grid[0])[1][1] = 70; add(grid[1][1]); add((*(&grid[0] + 1))[1]); add(*(*(&grid[0] + 1) + 1)); add(*((&grid[0])[1] + 1)); (*(&cube[2] + 1))[2][3] = 9; add(cube[3][2][3]); add((&cube[2][0])[5][3]);
  add(formals(grid[1], grid)); add(formal(0)); add(fixed[1][1]);
  add((*(1 ? &grid[1] : (void *)0))[1]); add((*(p ? &grid[1] - 1 + 1 : 0))[1]); add((*(&grid[1] ?: p))[1]); add((*(p, &grid[1]))[1]); add((*({ int k = 1; &grid[k]; }))[1]);
  add(_Generic(1, int: &grid[1], default: 0)[0][1]); add(apart((p ? &grid[0] : &grid[1]) + 1, grid));
  return 0;
}
