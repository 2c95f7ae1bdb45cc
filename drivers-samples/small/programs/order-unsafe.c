// expect: FALSE 23
// witness: 0
// topic: expressions with side effects
// The second question is not asked when the first is answered by no.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int calls;

int ask(void)
{
    calls++;
    return __VERIFIER_nondet_int() != 0;
}

int main(void)
{
    int both = ask() && ask();

    if (both)
        assert(calls == 2);
    assert(calls == 2);
    return 0;
}
