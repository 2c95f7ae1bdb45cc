// expect: TRUE
// topic: swap
// Sorting three variables by swaps.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

void swap(int *p, int *q)
{
    int t = *p;
    *p = *q;
    *q = t;
}

int main(void)
{
    int a = __VERIFIER_nondet_int();
    int b = __VERIFIER_nondet_int();
    int c = __VERIFIER_nondet_int();

    if (a > b)
        swap(&a, &b);
    if (b > c)
        swap(&b, &c);
    if (a > b)
        swap(&a, &b);
    assert(a <= b);
    assert(b <= c);
    return 0;
}
