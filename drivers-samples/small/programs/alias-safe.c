// expect: TRUE
// topic: pointers that may be equal
// Two pointers may point to the same variable; the order of writes decides.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = 0, y = 0;
    int *p = &x;
    int *q = __VERIFIER_nondet_int() ? &x : &y;

    *p = 1;
    *q = 2;
    if (p == q)
        assert(x == 2);
    else
        assert(x == 1 && y == 2);
    assert(*q == 2);
    *p = *q;
    assert(x == 2);
    return 0;
}
