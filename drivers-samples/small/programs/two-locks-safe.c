// expect: TRUE
// topic: lock and unlock
// Two locks by pointer; a routine works on the one it is given.
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
        if (l == &rx) {
            take(&tx);
            drop(&tx);
        }
        drop(l);
    }
    return 0;
}
