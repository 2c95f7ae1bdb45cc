// Atomic operations: the built-in functions of gcc, and <stdatomic.h>.
#include <stdatomic.h>

unsigned long sum;
static void note(unsigned long v) { sum = sum * 31 + v; }

static int x = 1;
static unsigned char c = 250;
static volatile long l = 7;
static _Bool b;
static int *p;
static atomic_int n;
static _Atomic unsigned short s = 65535;
static atomic_flag lock = ATOMIC_FLAG_INIT;
static int calls;
static int *place(void) { calls++; return &x; }

static void sync(void)
{
	note(__sync_fetch_and_add(place(), 5));
	note(__sync_add_and_fetch(&x, __sync_fetch_and_sub(&x, 1)));
	note(__sync_fetch_and_or(&x, 64));
	note(__sync_and_and_fetch(&x, ~2));
	note(__sync_xor_and_fetch(&x, 0xff, x));
	note(__sync_fetch_and_nand(&x, 6));
	note(__sync_sub_and_fetch(&c, 251));
	note(__sync_add_and_fetch(&c, 10));
	note(__sync_bool_compare_and_swap(&x, x, 4));
	note(__sync_bool_compare_and_swap(&x, 3, 5));
	note(__sync_val_compare_and_swap(&x, 4, 6));
	note(__sync_val_compare_and_swap(&c, 9 + 256, 6));
	note(__sync_lock_test_and_set(&x, 9));
	note(x);
	__sync_lock_release(&x);
	__sync_synchronize();
	note(x);
}

static void generic(void)
{
	int e = 3, d = 8, r;
	note(__atomic_compare_exchange_n(&x, &e, 7, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED));
	note(e);
	note(__atomic_compare_exchange_n(&x, &e, 7, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED));
	note(x);
	__atomic_store(&x, &d, __ATOMIC_RELEASE);
	__atomic_load(&x, &r, __ATOMIC_ACQUIRE);
	note(r);
	__atomic_exchange(&x, &e, &r, __ATOMIC_SEQ_CST);
	note(x * 10 + r);
	__atomic_store_n(&c, 255, __ATOMIC_SEQ_CST);
	note(__atomic_add_fetch(&c, 2, __ATOMIC_SEQ_CST));
	note(__atomic_fetch_sub(&c, 3, __ATOMIC_SEQ_CST));
	note(__atomic_load_n(&c, __ATOMIC_SEQ_CST));
	note(__atomic_test_and_set(&b, __ATOMIC_SEQ_CST));
	note(__atomic_test_and_set(&b, __ATOMIC_SEQ_CST));
	__atomic_clear(&b, __ATOMIC_SEQ_CST);
	note(b);
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	note(__atomic_exchange_n(&p, &x, __ATOMIC_SEQ_CST) == 0);
	note(p == &x);
	note(__atomic_load_n(&p, __ATOMIC_SEQ_CST) == &x);
}

static void standard(void)
{
	int e = 1;
	atomic_init(&n, 5);
	note(atomic_fetch_add(&n, 2));
	note(atomic_exchange(&n, 20));
	note(atomic_compare_exchange_strong(&n, &e, 3));
	note(e);
	note(atomic_load_explicit(&n, memory_order_acquire));
	note(atomic_fetch_xor(&s, 255));
	note(n++);
	n += 4;
	note(++s);
	note(n);
	note(atomic_flag_test_and_set(&lock));
	note(atomic_flag_test_and_set(&lock));
	atomic_flag_clear(&lock);
	note(atomic_flag_test_and_set(&lock));
}

int main(void)
{
	sync();
	generic();
	standard();
	note(calls);
	return 0;
}
