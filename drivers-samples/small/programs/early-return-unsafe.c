// expect: FALSE 13
// witness: 1 600 1 5
// topic: early returns
// One of them has not.
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
    locked = 0;
}

int transfer(int length)
{
    if (length <= 0)
        return -22;
    lock();
    if (length > 512)
        return -90;
    if (__VERIFIER_nondet_int())
        length--;
    unlock();
    return length;
}

int main(void)
{
    while (__VERIFIER_nondet_int())
        transfer(__VERIFIER_nondet_int());
    return 0;
}
