// expect: FALSE 33
// witness: 5 0 2
// topic: lists of fixed length
// The last node is compared with the first value before that was raised.
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    int value;
    struct node *next;
};

int main(void)
{
    struct node *a = malloc(sizeof *a);
    struct node *b = malloc(sizeof *b);
    struct node *c = malloc(sizeof *c);

    if (!a || !b || !c)
        return 1;
    a->value = __VERIFIER_nondet_int();
    a->next = b;
    b->next = c;
    c->next = NULL;
    b->value = __VERIFIER_nondet_int();
    c->value = __VERIFIER_nondet_int();
    if (c->value < b->value)
        c->value = b->value;
    if (b->value < a->value)
        b->value = a->value;
    assert(a->next->next->value >= a->value);
    assert(a->next->next->next == NULL);
    free(a);
    free(b);
    free(c);
    return 0;
}
