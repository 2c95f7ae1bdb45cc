// expect: TRUE
// topic: loop bounds
// At most five tries; an answer in hand means that the last one worked.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

#define TRIES 5

int main(void)
{
    int tries = 0, answer = 0, failures = 0;

    do {
        tries++;
        answer = __VERIFIER_nondet_int() == 42;
        if (!answer)
            failures++;
    } while (!answer && tries < TRIES);

    if (tries > TRIES)
        reach_error();
    if (answer && failures != tries - 1)
        reach_error();
    if (!answer && failures != TRIES)
        reach_error();
    return 0;
}
