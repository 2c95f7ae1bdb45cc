// expect: FALSE 23
// witness: 100 1 1 0
// topic: modulo and parity
// One of the steps is three.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

int main(void)
{
    int half = __VERIFIER_nondet_int();
    int x;

    __VERIFIER_assume(half >= 0 && half <= 100);
    x = 2 * half;
    while (x < 210) {
        if (__VERIFIER_nondet_int())
            x += 4;
        else
            x += 3;
    }
    assert(x % 2 == 0);
    return 0;
}
