// Functions of the compiler that count bits and report overflow.

unsigned long sum;
static void note(unsigned long long v) { sum = sum * 31 + (unsigned long)(v ^ v >> 32); }

typedef signed char i8;
typedef unsigned char u8;
typedef short i16;
typedef unsigned short u16;
typedef unsigned u32;
typedef long long i64;
typedef unsigned long long u64;

static u64 numbers[] = {
	0, 1, 2, 3, 5, 8, 100, 127, 128, 129, 255, 256, 32767, 32768, 65535, 65536, 0x12345678, 0x7ffffffe, 0x7fffffff,
	0x80000000, 0x80000001, 0xfffffffe, 0xffffffff, 0x100000000, 0x123456789abcdef0, 0x7fffffffffffffff,
	0x8000000000000000, 0x8000000000000001, 0xffffffff00000000, 0xffffffff80000000, 0xffffffff7fffffff, 0xfffffffffffffffe, 0xffffffffffffffff,
};
enum { N = sizeof numbers / sizeof *numbers };

static int once;
static unsigned evaluated(unsigned x) { once++; return x; }

static void bits(u64 x)
{
	u32 y = x;
	unsigned long l = x;
	note(__builtin_popcount(y)); note(__builtin_popcountl(l)); note(__builtin_popcountll(x));
	note(__builtin_parity(y)); note(__builtin_parityl(l)); note(__builtin_parityll(x));
	note(__builtin_ffs(y)); note(__builtin_ffsl(l)); note(__builtin_ffsll(x));
	note(__builtin_clrsb(y)); note(__builtin_clrsbl(l)); note(__builtin_clrsbll(x));
	if (y) { note(__builtin_clz(y)); note(__builtin_ctz(y)); }
	if (l) { note(__builtin_clzl(l)); note(__builtin_ctzl(l)); }
	if (x) { note(__builtin_clzll(x)); note(__builtin_ctzll(x)); }
	note(__builtin_bswap16(x)); note(__builtin_bswap32(x)); note(__builtin_bswap64(x));
	y = __builtin_popcount(y); note(y);
	note(__builtin_popcount(evaluated(y)) + once);
}

#define TYPED(add, T, S, f) { S r, t = (S)y; _Bool o = f((S)x, t, &r); note(o); note(r); }
static void typed(u64 x, u64 y)
{
	TYPED(add, , int, __builtin_sadd_overflow) TYPED(add, , long, __builtin_saddl_overflow) TYPED(add, , i64, __builtin_saddll_overflow)
	TYPED(sub, , int, __builtin_ssub_overflow) TYPED(sub, , long, __builtin_ssubl_overflow) TYPED(sub, , i64, __builtin_ssubll_overflow)
	TYPED(mul, , int, __builtin_smul_overflow) TYPED(mul, , long, __builtin_smull_overflow) TYPED(mul, , i64, __builtin_smulll_overflow)
	TYPED(add, , u32, __builtin_uadd_overflow) TYPED(add, , unsigned long, __builtin_uaddl_overflow) TYPED(add, , u64, __builtin_uaddll_overflow)
	TYPED(sub, , u32, __builtin_usub_overflow) TYPED(sub, , unsigned long, __builtin_usubl_overflow) TYPED(sub, , u64, __builtin_usubll_overflow)
	TYPED(mul, , u32, __builtin_umul_overflow) TYPED(mul, , unsigned long, __builtin_umull_overflow) TYPED(mul, , u64, __builtin_umulll_overflow)
}

#define ONE(A, B, R) { A a = (A)x; B b = (B)y; R r; \
	note(__builtin_add_overflow(a, b, &r)); note(r); note(__builtin_add_overflow_p(a, b, (R)0)); \
	note(__builtin_sub_overflow(a, b, &r)); note(r); note(__builtin_sub_overflow_p(a, b, (R)0)); \
	note(__builtin_mul_overflow(a, b, &r)); note(r); note(__builtin_mul_overflow_p(a, b, (R)0)); }
#define RESULTS(A, B) ONE(A, B, i8) ONE(A, B, u16) ONE(A, B, int) ONE(A, B, u32) ONE(A, B, i64) ONE(A, B, u64)
static void mixed(u64 x, u64 y)
{
	RESULTS(int, int) RESULTS(u32, u32) RESULTS(int, u32) RESULTS(i64, i64) RESULTS(u64, u64) RESULTS(i64, u64) RESULTS(u64, i64)
	RESULTS(u8, i16) RESULTS(int, u64) RESULTS(i64, u32) RESULTS(_Bool, i8) RESULTS(i64, _Bool)
}

struct fields { int a : 5; unsigned b : 3; } fields = { -16, 7 };
static int *place(void) { static int kept; once++; return &kept; }

int main(void)
{
	for (int i = 0; i < N; i++)
		bits(numbers[i]);
	for (int i = 0; i < N; i++) {
		for (int j = i % 7; j < N; j += 7)
			typed(numbers[i], numbers[j]);
		for (int j = i % 11; j < N; j += 11)
			mixed(numbers[i], numbers[j]);
	}
	// Constants, which the compiler folds.
	note(__builtin_clz(1)); note(__builtin_ctz(8)); note(__builtin_ffs(0)); note(__builtin_clrsb(-1)); note(__builtin_parity(7));
	note(__builtin_bswap32(0x01020304)); note(__builtin_popcountll(-1));
	static int folded = __builtin_popcount(255) + __builtin_bswap16(1);
	note(folded);
	note(__builtin_add_overflow_p(100, 100, (signed char)0));
	// Bit-fields, and order: the result may be an operand.
	note(__builtin_add_overflow_p(10, 5, fields.a)); note(__builtin_add_overflow_p(10, 6, fields.a)); note(__builtin_sub_overflow_p(3, 10, fields.b));
	int x = 5;
	note(__builtin_add_overflow(x, x, &x)); note(x);
	note(__builtin_mul_overflow(x, evaluated(7), place())); note(*place() + once);
	if (__builtin_sub_overflow(x, 3, &x) || __builtin_add_overflow(x, 2147483647, &x)) note(x);
	x = __builtin_add_overflow(x, 2147483647, &x); note(x);
	return 0;
}
