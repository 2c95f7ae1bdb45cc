// expect: TRUE
// topic: expressions with side effects
// Short circuits, comma and increments inside conditions.
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
    int i = 0;

    if (both)
        assert(calls == 2);
    assert(calls == 1 || calls == 2);
    while (i++ < 3)
        calls = (calls, i);
    assert(i == 4);
    assert(calls == 3);
    return 0;
}
