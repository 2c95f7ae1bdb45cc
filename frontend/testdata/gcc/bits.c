unsigned long sum;
static void add(long v) { sum = sum * 31 + (unsigned long)v; }
struct bits { int one : 1; _Bool flag : 1; unsigned u : 1; } b;
#pragma pack(1)
struct across { int a : 5; int b : 8; int c : 16; unsigned d : 19; };
#pragma pack()
static struct across table[9] = { {1,-2,3,4}, {5,6,-700,8}, {-9,10,11,12}, {13,-14,15,16}, {-1,18,1900,20}, {2,-22,23,24}, {-3,26,2700,28}, {4,30,-31,32}, {5,34,35,36} }; // as bytes
int main(void)
{
  for (int i = 0; i < 9; i++) { add(table[i].a); add(table[i].b); add(table[i].c); add(table[i].d); }
  int x = 5, y;
  b.one = x > 3 && x < 9; add(b.one); y = b.one = x || y; add(y); b.u = !(x && b.one); add(b.u); b.flag = x > 2 || x < 1; add(b.flag);
  b.one = 0; b.one++; add(b.one); b.one--; add(b.one); y = b.one ? 1 : 2; add(y); b.one = x ? 1 : 0; add(b.one); struct bits c = { x && 1, 1, x || 0 }; add(c.one); add(c.u);
  return 0;
}
