// expect: TRUE
// topic: recursion
// The sum of 1..n is not below n.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int);

int sum(int n)
{
    if (n <= 0)
        return 0;
    return n + sum(n - 1);
}

int main(void)
{
    int n = __VERIFIER_nondet_int();
    int s;

    if (n < 0 || n > 1000)
        return 0;
    s = sum(n);
    __VERIFIER_assert(s >= n);
    __VERIFIER_assert(s >= 0);
    return 0;
}
