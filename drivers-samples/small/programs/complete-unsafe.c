// expect: FALSE 14
// witness: 2
// topic: request completion
// A pending request is completed by the dispatch routine and by the interrupt.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

enum { PENDING = 259, SUCCESS = 0, BUSY = -16 };

int completed;
int queued;

void complete(void) { assert(completed == 0); completed = 1; }

int start(void)
{
    int what = __VERIFIER_nondet_int();

    if (what == 0)
        return SUCCESS;
    if (what < 0)
        return BUSY;
    queued = 1;
    return PENDING;
}

void interrupt(void)
{
    if (queued) {
        queued = 0;
        complete();
    }
}

int main(void)
{
    int status = start();

    if (status != SUCCESS)
        complete();
    interrupt();
    return 0;
}
