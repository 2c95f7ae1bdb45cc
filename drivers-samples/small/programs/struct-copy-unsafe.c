// expect: FALSE 28
// witness: 4 99
// topic: struct assignment
// A pointer to the original is no copy of it.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

struct context {
    int flags;
    struct { int base, limit; } window;
};

int main(void)
{
    struct context now;
    struct context *saved;
    struct context *p = &now;

    now.flags = __VERIFIER_nondet_int();
    now.window.base = 16;
    now.window.limit = 32;
    saved = p;
    p->window.base = __VERIFIER_nondet_int();
    p->flags = 0;
    *p = *saved;
    assert(now.flags == saved->flags);
    assert(now.window.base < now.window.limit);
    return 0;
}
