// expect: TRUE
// topic: differences
// Credits given out and credits at home add up to the window.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

void __VERIFIER_assert(int condition)
{
    if (!condition) {
    ERROR:
        return;
    }
}

int main(void)
{
    int window = __VERIFIER_nondet_int();
    int home, out = 0;

    __VERIFIER_assume(window >= 0 && window <= 64);
    home = window;
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int()) {
            if (home > 0) {
                home--;
                out++;
            }
        } else if (out > 0) {
            out--;
            home++;
        }
        __VERIFIER_assert(home + out == window);
        __VERIFIER_assert(out >= 0);
    }
    return 0;
}
