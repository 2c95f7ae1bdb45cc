// expect: FALSE 20
// witness: 1 1 1
// topic: modulo and parity
// One of them believes in four parties.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int);

int main(void)
{
    unsigned int turn = 0;
    int party = 0;

    while (__VERIFIER_nondet_int()) {
        turn = (turn + 1) % 3;
        if (party == 3)
            party = 0;
        else
            party++;
        __VERIFIER_assert(turn < 3u);
        __VERIFIER_assert((int)turn == party);
    }
    return 0;
}
