// expect: TRUE
// topic: unsigned wrap
// The age of a stamp is right although the clock wraps.
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
    if (now < stamp)
        assert(wait > 0u);
    return 0;
}
