// expect: TRUE
// topic: bit masks
// Flags in a word: set, tested and cleared by constant masks.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

#define F_OPEN  0x01u
#define F_BUSY  0x02u
#define F_ERROR 0x04u

unsigned int flags;

int main(void)
{
    while (__VERIFIER_nondet_int()) {
        if (!(flags & F_OPEN)) {
            flags |= F_OPEN;
            assert(!(flags & F_BUSY));
        } else if (flags & F_BUSY) {
            flags &= ~F_BUSY;
            if (__VERIFIER_nondet_int())
                flags |= F_ERROR;
        } else if (flags & F_ERROR) {
            flags &= ~(F_ERROR | F_OPEN);
        } else {
            flags |= F_BUSY;
        }
        assert(!(flags & F_BUSY) || (flags & F_OPEN));
    }
    return 0;
}
