// expect: TRUE
// topic: char and short conversions
// Comparing signed with unsigned is right once the sign has been looked at.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);

int main(void)
{
    int wanted = __VERIFIER_nondet_int();
    unsigned int limit = __VERIFIER_nondet_uint();

    if (limit > 4096u)
        return 0;
    if (wanted < 0)
        wanted = 0;
    if ((unsigned int)wanted > limit)
        wanted = (int)limit;
    assert(wanted >= 0 && wanted <= 4096);
    assert(limit - (unsigned int)wanted <= limit);
    return 0;
}
