// expect: FALSE 18
// witness: 1
// topic: pointers that may be equal
// The case that they are equal is forgotten.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = 0, y = 0;
    int *p = &x;
    int *q = __VERIFIER_nondet_int() ? &x : &y;

    *p = 1;
    *q = 2;
    assert(*q == 2);
    assert(*p == 1);
    return 0;
}
