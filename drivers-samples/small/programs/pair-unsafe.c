// expect: FALSE 27
// witness: 1 2
// topic: struct assignment
// The second element overwrites before it is read.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

struct pair { int first, second; };

void turn(struct pair *p)
{
    p->first = p->second;
    p->second = p->first;
}

int main(void)
{
    struct pair table[2];

    table[0].first = __VERIFIER_nondet_int();
    table[0].second = __VERIFIER_nondet_int();
    table[1] = table[0];
    turn(&table[1]);
    if (table[1].first != table[0].second)
        reach_error();
    if (table[1].second != table[0].first)
        reach_error();
    return 0;
}
