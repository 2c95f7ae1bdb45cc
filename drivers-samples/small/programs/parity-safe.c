// expect: TRUE
// topic: modulo and parity
// A counter that starts even and goes in steps of two is never odd.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

int main(void)
{
    int half = __VERIFIER_nondet_int();
    int x;

    __VERIFIER_assume(half >= 0 && half <= 100);
    x = 2 * half;
    while (x < 1000) {
        if (__VERIFIER_nondet_int())
            x += 4;
        else
            x += 2;
    }
    assert(x % 2 == 0);
    return 0;
}
