// expect: FALSE 29
// witness: 1 1 1
// topic: lists of fixed length
// Put back behind the other one: the second round takes the wrong head.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

struct item {
    int owner;
    struct item *next;
};

struct item first, second;
struct item *head;

int main(void)
{
    struct item *got;

    second.next = 0;
    first.next = &second;
    head = &first;
    first.owner = 1;
    second.owner = 2;
    while (__VERIFIER_nondet_int()) {
        got = head;
        head = got->next;
        if (head->owner != 2)
            reach_error();
        if (__VERIFIER_nondet_int()) {
            head->next = got;
            got->next = 0;
        } else {
            got->next = head;
            head = got;
        }
    }
    return 0;
}
