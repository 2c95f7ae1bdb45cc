// expect: FALSE 13
// witness: 1 0
// topic: lock and unlock
// The second lock may be the first.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

struct lock { int held; };

struct lock rx, tx;

void take(struct lock *l) { assert(!l->held); l->held = 1; }
void drop(struct lock *l) { assert(l->held); l->held = 0; }

int main(void)
{
    struct lock *l;

    while (__VERIFIER_nondet_int()) {
        l = __VERIFIER_nondet_int() ? &rx : &tx;
        take(l);
        take(&tx);
        drop(&tx);
        drop(l);
    }
    return 0;
}
