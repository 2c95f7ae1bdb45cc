// expect: TRUE
// topic: lock and unlock
// The lock is held on and off in a loop that ends when a round brought nothing new.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int held;

void acquire(void) { assert(held == 0); held = 1; }
void release(void) { assert(held == 1); held = 0; }

int main(void)
{
    int packets = 0, before;

    do {
        acquire();
        before = packets;
        if (__VERIFIER_nondet_int() && packets < 100) {
            release();
            packets++;
        }
    } while (packets != before);
    release();
    return 0;
}
