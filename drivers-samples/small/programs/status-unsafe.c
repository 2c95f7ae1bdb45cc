// expect: FALSE 37
// witness: 0 0
// topic: status across calls
// Who gives up after the power is on leaves it on.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int powered, claimed;

int power_up(void)
{
    if (__VERIFIER_nondet_int() < 0)
        return -5;
    powered = 1;
    return 0;
}

int claim(void)
{
    int err = power_up();
    if (err)
        return err;
    if (__VERIFIER_nondet_int() == 0)
        return -16;
    claimed = 1;
    return 0;
}

int main(void)
{
    int status = claim();

    if (status == 0)
        assert(powered && claimed);
    else
        assert(!powered && !claimed);
    return 0;
}
