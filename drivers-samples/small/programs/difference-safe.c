// expect: TRUE
// topic: differences
// Two counters that are moved together keep their distance.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int main(void)
{
    int low = __VERIFIER_nondet_int();
    int high;

    __VERIFIER_assume(low > -1000 && low < 1000);
    high = low + 10;
    while (low < 5000) {
        if (__VERIFIER_nondet_int()) {
            low++;
            high++;
        } else {
            high = high + 2;
            low = low + 2;
        }
        if (high - low != 10)
            reach_error();
    }
    return 0;
}
