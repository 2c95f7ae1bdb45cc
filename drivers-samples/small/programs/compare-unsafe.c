// expect: FALSE 21
// witness: -1 100
// topic: char and short conversions
// Without that, -1 is the largest number there is, and is cut to the limit.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);

int main(void)
{
    int wanted = __VERIFIER_nondet_int();
    unsigned int limit = __VERIFIER_nondet_uint();
    int given = wanted;

    if (limit > 4096u)
        return 0;
    if (given > limit)
        given = (int)limit;
    assert(given >= 0 && given <= 4096);
    assert(given <= wanted);
    return 0;
}
