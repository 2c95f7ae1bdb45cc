unsigned long sum;
static void add(long v) { sum = sum * 31 + (unsigned long)v; }
struct bits { int one : 1; _Bool flag : 1; unsigned u : 1; } b;
int main(void)
{
  int x = 5, y;
  b.one = x > 3 && x < 9; add(b.one); y = b.one = x || y; add(y); b.u = !(x && b.one); add(b.u); b.flag = x > 2 || x < 1; add(b.flag);
  b.one = 0; b.one++; add(b.one); b.one--; add(b.one); y = b.one ? 1 : 2; add(y); b.one = x ? 1 : 0; add(b.one); struct bits c = { x && 1, 1, x || 0 }; add(c.one); add(c.u);
  return 0;
}
