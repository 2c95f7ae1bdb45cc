// expect: TRUE
// topic: loops built by goto
// Two nested loops without loop statements. The inner one is never left early.
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
