// expect: FALSE 26
// witness: 9 1 5 1 0 0
// topic: equalities
// The second branch updates one of the copies with another value.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int a = __VERIFIER_nondet_int();
    int b = a;
    int c = b;

    while (__VERIFIER_nondet_int()) {
        int d = __VERIFIER_nondet_int();
        if (d > 1) {
            c = d;
            a = d;
        } else {
            a = d;
        }
        b = a;
    }
    assert(a == b);
    assert(b == c);
    return 0;
}
