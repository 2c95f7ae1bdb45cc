// expect: TRUE
// topic: status across calls
// A flag that one routine sets, another reads and a third resets.
extern int __VERIFIER_nondet_int(void);

int busy, pending;

void submit(void) { busy = 1; pending = pending == 0 ? 1 : 2; }
void interrupt(void) { if (busy && pending > 0) pending--; }
void settle(void) { if (pending == 0) busy = 0; }

int main(void)
{
    int event;

    for (;;) {
        event = __VERIFIER_nondet_int();
        if (event == 0)
            break;
        if (event > 0)
            submit();
        else
            interrupt();
        settle();
        if (pending > 0 && !busy)
            goto ERROR;
        if (busy && pending == 0)
            goto ERROR;
    }
    return 0;
ERROR:
    return 1;
}
