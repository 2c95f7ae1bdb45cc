// expect: TRUE
// topic: status across calls
// The device is written to only if each step on the way up said yes.
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
    if (__VERIFIER_nondet_int() == 0) {
        powered = 0;
        return -16;
    }
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
