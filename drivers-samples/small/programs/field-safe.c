// expect: TRUE
// topic: bit masks
// A field of three bits inside a register: what is put in comes out, below eight.
extern unsigned int __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assert(int);

#define SHIFT 4
#define FIELD (7u << SHIFT)

int main(void)
{
    unsigned int reg = __VERIFIER_nondet_uint();
    unsigned int value = __VERIFIER_nondet_uint() & 7u;

    reg = (reg & ~FIELD) | (value << SHIFT);
    __VERIFIER_assert(((reg & FIELD) >> SHIFT) == value);
    __VERIFIER_assert(value < 8u);
    return 0;
}
