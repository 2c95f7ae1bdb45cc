// expect: FALSE 24
// witness: 0 0 0 0 42
// topic: loop bounds
// An answer at the last try counts as none.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

#define TRIES 5

int main(void)
{
    int tries = 0, answer = 0, failures = 0;

    do {
        tries++;
        answer = __VERIFIER_nondet_int() == 42;
        if (!answer || tries == TRIES)
            failures++;
    } while (!answer && tries < TRIES);

    if (tries > TRIES)
        reach_error();
    if (answer && failures != tries - 1)
        reach_error();
    return 0;
}
