// expect: FALSE 12
// witness: 1 1 1 0 1
// topic: function pointers
// Going back to idle leaves the handler as it is.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int mode;

void handle_idle(void) { assert(mode == 0); }
void handle_busy(void) { assert(mode == 1); }

int main(void)
{
    void (*handler)(void) = handle_idle;

    while (__VERIFIER_nondet_int()) {
        handler();
        if (__VERIFIER_nondet_int()) {
            mode = 1;
            handler = handle_busy;
        } else {
            mode = 0;
        }
    }
    return 0;
}
