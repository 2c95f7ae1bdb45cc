// expect: TRUE
// topic: out-parameters
// The result is in the out-parameter if and only if the routine returns zero.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int read_sensor(int *value)
{
    int raw = __VERIFIER_nondet_int();

    if (raw < 0 || raw > 4095)
        return -1;
    *value = raw;
    return 0;
}

int main(void)
{
    int value = -1;

    if (read_sensor(&value) == 0)
        assert(value >= 0 && value <= 4095);
    else
        assert(value == -1);
    return 0;
}
