// expect: TRUE
// topic: unsigned wrap
// A countdown that asks before it goes down does not wrap.
extern unsigned int __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assert(int);

int main(void)
{
    unsigned int left = __VERIFIER_nondet_uint();
    unsigned int start;

    if (left > 100u)
        left = 100u;
    start = left;
    while (__VERIFIER_nondet_uint() != 0u) {
        if (left != 0u)
            left--;
        __VERIFIER_assert(left <= start);
    }
    return 0;
}
