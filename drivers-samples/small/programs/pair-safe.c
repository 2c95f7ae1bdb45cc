// expect: TRUE
// topic: struct assignment
// Structs by value: as argument, as result, in an array.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

struct pair { int first, second; };

struct pair turned(struct pair p)
{
    struct pair q = { p.second, p.first };
    p.first = 0;
    return q;
}

int main(void)
{
    struct pair table[2];

    table[0].first = __VERIFIER_nondet_int();
    table[0].second = __VERIFIER_nondet_int();
    table[1] = turned(table[0]);
    if (table[1].first != table[0].second)
        reach_error();
    table[1] = turned(table[1]);
    if (table[1].first != table[0].first || table[1].second != table[0].second)
        reach_error();
    return 0;
}
