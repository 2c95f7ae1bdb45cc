// expect: TRUE
// topic: function pointers
// A table of operations; close follows open, and nothing is called through NULL.
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

    while (__VERIFIER_nondet_int()) {
        int ok = ops->open();
        __VERIFIER_assert(opened == 1);
        if (ok)
            __VERIFIER_assert(ops->close != 0);
        ops->close();
        __VERIFIER_assert(opened == 0);
    }
    return 0;
}
