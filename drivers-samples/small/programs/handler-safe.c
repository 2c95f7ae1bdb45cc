// expect: TRUE
// topic: function pointers
// The handler in use is always the one that belongs to the mode.
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
            handler = handle_idle;
        }
    }
    return 0;
}
