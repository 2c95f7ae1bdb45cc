// expect: FALSE 19
// witness: 9
// topic: loop bounds
// Two at a time overshoot an odd bound.
#include <assert.h>

extern unsigned int __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned int n = __VERIFIER_nondet_uint();
    unsigned int i;

    if (n > 10u)
        n = 10u;
    for (i = 0; i < n; i += 2)
        if (i == 77u)
            break;
    assert(i == n);
    return 0;
}
