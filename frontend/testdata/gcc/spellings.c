// What is respelt for the parser: character constants, designators, typeof of types.
unsigned long sum;
static void note(unsigned long v) { sum = sum * 31 + v; }

typedef struct { int a; short b[3]; } pair;
extern __attribute__((unused)) __typeof__(int) cpu;
__typeof__(pair *) pointer;
typeof(unsigned char) small = 257 & 255;
int proto(int n, int a[*]);
int proto(int n, int *a) { return a[n]; }
#define AB 'ab'
#define ASSERT(c, line) typedef char assert_ ## line[(c) ? 1 : -1]
ASSERT(sizeof(int) == 4, 1);
struct check { char bug[sizeof(pair) == 12 ? 1 : -1]; int x; };
int wide[] = { L'\xabcd', L'\x12345678', L'\xfbcdabcd', 'abcd', 'abcde', '\xff\n', '\'"', 'a\\', AB };
int list[5] = { [1] 42, [3] 7, 8 };
int grid[2][2] = { [1] { 5, [1] 6 } };

int main(void)
{
	for (int i = 0; i < 9; i++)
		note(wide[i]);
	for (int i = 0; i < 5; i++)
		note(list[i]);
	note(grid[1][0] * 10 + grid[1][1] + grid[0][0]);
	note(small + sizeof pointer + sizeof *pointer + sizeof(struct check));
	note(proto(1, list));
	note(u'x' + U'y' + sizeof(u'x') + sizeof(U'x') + sizeof('xy') + sizeof(L'x') + sizeof("1" L"23"));
	note(list[small == 1 ? 1 : -1]);
	note((unsigned long)(sizeof(char[1 - 2*!!(sizeof(int) != 4)])));
	{ typeof(const pair *) p = &(pair){ 3 }; note(p->a); }
	return 0;
}
