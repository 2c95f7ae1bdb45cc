// expect: TRUE
// topic: char and short conversions
// A length of sixteen bits is made of two bytes, and checked before it is trusted.
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

#define ROOM 512

int main(void)
{
    unsigned char high = __VERIFIER_nondet_uchar();
    unsigned char low = __VERIFIER_nondet_uchar();
    unsigned short length = (unsigned short)(high * 256 + low);
    int used;

    if (length > ROOM)
        return 1;
    used = length;
    if (used < 0 || used > ROOM)
        goto ERROR;
    if (high > 2)
        goto ERROR;
    return 0;
ERROR:
    reach_error();
    return 2;
}
