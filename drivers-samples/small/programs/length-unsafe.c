// expect: FALSE 23
// witness: 3 16
// topic: char and short conversions
// The check is made on what is left after a conversion to eight bits.
extern unsigned char __VERIFIER_nondet_uchar(void);

#define ROOM 64

int main(void)
{
    unsigned char high = __VERIFIER_nondet_uchar();
    unsigned char low = __VERIFIER_nondet_uchar();
    unsigned short length = (unsigned short)(high * 256 + low);
    unsigned char checked = (unsigned char)length;
    int used;

    if (checked > ROOM)
        return 1;
    used = length;
    if (used < 0 || used > ROOM)
        goto ERROR;
    return 0;
ERROR:
    return 2;
}
