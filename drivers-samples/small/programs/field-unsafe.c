// expect: FALSE 18
// witness: 112 3
// topic: bit masks
// The old value of the field is still there when the new one is put over it.
extern unsigned int __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assert(int);

#define SHIFT 4
#define FIELD (7u << SHIFT)

int main(void)
{
    unsigned int reg = __VERIFIER_nondet_uint();
    unsigned int value = __VERIFIER_nondet_uint() & 7u;

    reg = reg | (value << SHIFT);
    __VERIFIER_assert(value < 8u);
    __VERIFIER_assert(((reg & FIELD) >> SHIFT) == value);
    return 0;
}
