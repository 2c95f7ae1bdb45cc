// expect: TRUE
// topic: lists of fixed length
// A static chain: taking the head off and putting it back changes nothing.
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
        got->next = head;
        head = got;
        if (head->next != &second)
            reach_error();
    }
    return 0;
}
