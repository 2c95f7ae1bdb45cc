// expect: TRUE
// topic: pointers to pointers
// Through a pointer to a pointer, one of two cells is chosen and written.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int left = 0, right = 0;
    int *cell = &left;
    int **place = &cell;

    if (__VERIFIER_nondet_int())
        *place = &right;
    **place = 7;
    if (cell == &right)
        assert(right == 7 && left == 0);
    else
        assert(left == 7 && right == 0);
    *cell = *cell - 7;
    assert(left == 0 && right == 0);
    return 0;
}
