// expect: FALSE 24
// witness: 5000
// topic: out-parameters
// The out-parameter is written before the check.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int read_sensor(int *value)
{
    *value = __VERIFIER_nondet_int();
    if (*value < 0 || *value > 4095)
        return -1;
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
