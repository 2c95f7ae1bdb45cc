// expect: FALSE 32
// witness: 3 0 0 1
// topic: loops built by goto
// The jump out of the inner loop skips the step of the outer one.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    int i = 0, j;

    __VERIFIER_assume(n > 0 && n < 50);
outer:
    if (i >= n)
        goto done;
    j = 0;
inner:
    if (j < i) {
        assert(i < n);
        if (__VERIFIER_nondet_int())
            goto done;
        j++;
        goto inner;
    }
    assert(j == i);
    i++;
    goto outer;
done:
    assert(i == n);
    return 0;
}
