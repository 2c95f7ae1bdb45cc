// expect: TRUE
// topic: modulo and parity
// A turn goes round among three parties; each knows whose turn it is.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int);

int main(void)
{
    unsigned int turn = 0;
    int party = 0;

    while (__VERIFIER_nondet_int()) {
        turn = (turn + 1) % 3;
        if (party == 2)
            party = 0;
        else
            party++;
        __VERIFIER_assert(turn < 3u);
        __VERIFIER_assert((int)turn == party);
    }
    return 0;
}
