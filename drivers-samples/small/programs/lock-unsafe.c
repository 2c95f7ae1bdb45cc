// expect: FALSE 11
// witness: 1 1
// topic: lock and unlock
// The second packet is counted without letting go of the lock.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int held;

void acquire(void) { assert(held == 0); held = 1; }
void release(void) { assert(held == 1); held = 0; }

int main(void)
{
    int packets = 0, before;

    do {
        before = packets;
        acquire();
        if (__VERIFIER_nondet_int() && packets < 100) {
            if (packets != 1)
                release();
            packets++;
        }
    } while (packets != before);
    release();
    return 0;
}
