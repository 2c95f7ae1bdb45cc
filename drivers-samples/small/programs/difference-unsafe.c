// expect: FALSE 25
// witness: 999 0 1 1 0
// topic: differences
// A third branch, taken near the end, moves only one of them.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int main(void)
{
    int low = __VERIFIER_nondet_int();
    int high;

    __VERIFIER_assume(low > -1000 && low < 1000);
    high = low + 10;
    while (low < 1005) {
        if (__VERIFIER_nondet_int()) {
            low++;
            high++;
        } else {
            high = high + 2;
            low = low + (low < 1003 ? 2 : 3);
        }
        if (high - low != 10)
            reach_error();
    }
    return 0;
}
