// expect: FALSE 23
// witness: 1
// topic: pointers to pointers
// The pointer is redirected between the two writes.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int left = 0, right = 0;
    int *cell = &left;
    int **place = &cell;

    **place = 7;
    if (__VERIFIER_nondet_int())
        *place = &right;
    if (cell == &right)
        assert(left == 7 && right == 0);
    else
        assert(left == 7 && right == 0);
    *cell = *cell - 7;
    assert(left == 0 && right == 0);
    return 0;
}
