// expect: TRUE
// topic: reference counts
// The object is in use as long as somebody has a reference.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int);

int refs, alive;

void get(void)
{
    __VERIFIER_assert(alive);
    refs++;
}

void put(void)
{
    __VERIFIER_assert(refs > 0);
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
        } else if (users > 0) {
            users--;
            put();
        }
        __VERIFIER_assert(alive);
    }
    return 0;
}
