// expect: TRUE
// topic: recursion
// The guards of Ackermann's function: neither argument is ever negative.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

int ackermann(int m, int n)
{
    assert(m >= 0);
    assert(n >= 0);
    if (m == 0)
        return n + 1;
    if (n == 0)
        return ackermann(m - 1, 1);
    return ackermann(m - 1, ackermann(m, n - 1));
}

int main(void)
{
    int m = __VERIFIER_nondet_int();
    int n = __VERIFIER_nondet_int();

    __VERIFIER_assume(m >= 0 && m <= 2);
    __VERIFIER_assume(n >= 0 && n <= 4);
    ackermann(m, n);
    return 0;
}
