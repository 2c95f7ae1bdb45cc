// expect: TRUE
// topic: error cleanup
// The ladder of gotos gives back exactly what has been got.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int memory, irq, dma;

int probe(void)
{
    int err = -12;

    if (__VERIFIER_nondet_int() < 0)
        goto out;
    memory++;
    err = __VERIFIER_nondet_int();
    if (err != 0)
        goto out_memory;
    irq++;
    if (__VERIFIER_nondet_int() == 0) {
        err = -19;
        goto out_irq;
    }
    dma++;
    return 0;

out_irq:
    irq--;
out_memory:
    memory--;
out:
    return err;
}

int main(void)
{
    if (probe() == 0)
        assert(memory == 1 && irq == 1 && dma == 1);
    else
        assert(memory == 0 && irq == 0 && dma == 0);
    return 0;
}
