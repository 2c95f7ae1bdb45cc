// expect: TRUE
// topic: guards
// No division by zero, nor of the one dividend that has no quotient.
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

    if (b && (b > 0 || a > INT_MIN))
        divide(a, b);
    if (b == 0 || divide(0, b) == 0)
        return 0;
    assert(0);
    return 1;
}
