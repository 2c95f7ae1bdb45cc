// expect: FALSE 27
// witness: 3 2 1
// topic: swap
// Two comparisons do not sort three values.
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
    assert(b <= c);
    assert(a <= b);
    return 0;
}
