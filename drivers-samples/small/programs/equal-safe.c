// expect: TRUE
// topic: equalities
// Three copies of one value stay equal, whatever is done to all of them.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int a = __VERIFIER_nondet_int();
    int b = a;
    int c = b;

    while (__VERIFIER_nondet_int()) {
        int d = __VERIFIER_nondet_int();
        if (d > 0) {
            c = d;
            a = d;
        } else {
            a = c;
        }
        b = a;
    }
    assert(a == b);
    assert(b == c);
    return 0;
}
