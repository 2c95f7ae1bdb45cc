// expect: TRUE
// topic: early returns
// Every way out of the routine has released the lock.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int locked;

void lock(void)
{
    if (locked)
        reach_error();
    locked = 1;
}

void unlock(void)
{
    if (!locked)
        reach_error();
    locked = 0;
}

int transfer(int length)
{
    if (length <= 0)
        return -22;
    lock();
    if (length > 512) {
        unlock();
        return -90;
    }
    if (__VERIFIER_nondet_int())
        length--;
    unlock();
    return length;
}

int main(void)
{
    while (__VERIFIER_nondet_int())
        transfer(__VERIFIER_nondet_int());
    if (locked)
        reach_error();
    return 0;
}
