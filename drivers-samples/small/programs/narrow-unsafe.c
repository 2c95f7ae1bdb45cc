// expect: FALSE 21
// witness: 0 128
// topic: char and short conversions
// A signed char does not hold 128.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void)
{
    unsigned char byte = __VERIFIER_nondet_uchar();
    int wide = byte;
    short middle = (short)(wide + 1);
    int any = __VERIFIER_nondet_int();

    assert(wide >= 0 && wide < 256);
    assert((unsigned char)wide == byte);
    assert(middle == wide + 1);
    if (any >= -128 && any <= 128)
        assert((signed char)any == any);
    return 0;
}
