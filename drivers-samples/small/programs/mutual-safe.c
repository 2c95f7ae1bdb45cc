// expect: TRUE
// topic: recursion
// Of two neighbours one is even and one is odd, by mutual recursion.
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

int is_odd(int n);

int is_even(int n)
{
    return n == 0 ? 1 : is_odd(n - 1);
}

int is_odd(int n)
{
    return n == 0 ? 0 : is_even(n - 1);
}

int main(void)
{
    int n = __VERIFIER_nondet_uchar();

    if (is_even(n) && is_odd(n))
        reach_error();
    return 0;
}
