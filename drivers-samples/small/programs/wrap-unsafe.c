// expect: FALSE 19
// witness: 4294967290 10
// topic: unsigned wrap
// Comparing the stamps themselves goes wrong when the clock wraps.
#include <assert.h>

extern unsigned int __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned int stamp = __VERIFIER_nondet_uint();
    unsigned int wait = __VERIFIER_nondet_uint();
    unsigned int now;

    if (wait > 1000u)
        return 0;
    now = stamp + wait;
    assert(now - stamp <= 1000u);
    assert(now >= stamp);
    return 0;
}
