// expect: FALSE 28
// witness: 1 8 1 8 0
// topic: arrays with constant indices
// The control register survives when the mask is cleared.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

enum { CTRL, MASK, DATA, STAT, REGS };

int reg[REGS];

int main(void)
{
    reg[CTRL] = 0;
    reg[MASK] = 0;
    while (__VERIFIER_nondet_int()) {
        reg[DATA] = __VERIFIER_nondet_int();
        if (reg[DATA] > 7 && reg[CTRL] == 0) {
            reg[CTRL] = 1;
            reg[MASK] = 255;
        } else if (reg[STAT] == reg[DATA]) {
            reg[MASK] = 0;
        }
        reg[STAT] = reg[DATA];
        assert(reg[STAT] == reg[DATA]);
    }
    assert(reg[CTRL] == 1 ? reg[MASK] == 255 : reg[MASK] == 0);
    return 0;
}
