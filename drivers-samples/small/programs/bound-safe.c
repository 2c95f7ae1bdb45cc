// expect: TRUE
// topic: loop bounds
// After the loop its counter has the value of the bound.
#include <assert.h>

extern unsigned int __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned int n = __VERIFIER_nondet_uint();
    unsigned int i, skipped = 0;

    if (n > 10000u)
        n = 10000u;
    for (i = 0; i < n; i++) {
        if (i == 77u) {
            skipped = 1;
            continue;
        }
        if (i > 77u)
            assert(skipped == 1);
    }
    assert(i == n);
    return 0;
}
