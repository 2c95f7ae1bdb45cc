// expect: FALSE 38
// witness: 1 1 1 0 1 0
// topic: reference counts
// Giving back is possible once more than taking.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int);

int refs, alive;

void get(void)
{
    refs++;
}

void put(void)
{
    refs--;
    if (refs == 0)
        alive = 0;
}

int main(void)
{
    int users = 0;

    alive = 1;
    refs = 1;
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int()) {
            if (users < 1000) {
                get();
                users++;
            }
        } else if (users >= 0) {
            users--;
            put();
        }
        __VERIFIER_assert(alive);
    }
    return 0;
}
