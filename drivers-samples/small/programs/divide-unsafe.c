// expect: FALSE 13
// witness: -2147483648 -1
// topic: guards
// The guard forgets the dividend.
#include <assert.h>
#include <limits.h>

extern int __VERIFIER_nondet_int(void);

int divide(int a, int b)
{
    assert(b != 0);
    assert(a != INT_MIN || b != -1);
    return a / b;
}

int main(void)
{
    int a = __VERIFIER_nondet_int();
    int b = __VERIFIER_nondet_int();

    if (b && (b < 0 || a > INT_MIN))
        divide(a, b);
    return 0;
}
