// expect: FALSE 29
// witness: 0 1
// topic: function pointers
// Closed only if the opening said yes, but counted in any case.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int);

struct operations {
    int (*open)(void);
    void (*close)(void);
};

int opened;

int disk_open(void) { opened++; return __VERIFIER_nondet_int() > 0; }
void disk_close(void) { opened--; }

const struct operations disk = { disk_open, disk_close };

int main(void)
{
    const struct operations *ops = &disk;

    while (opened < 5) {
        int ok = ops->open();
        if (ok)
            ops->close();
        if (__VERIFIER_nondet_int())
            __VERIFIER_assert(opened == 0);
    }
    return 0;
}
