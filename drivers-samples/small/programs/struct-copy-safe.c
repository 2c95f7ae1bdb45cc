// expect: TRUE
// topic: struct assignment
// A saved copy is a copy: it does not follow what happens to the original.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

struct context {
    int flags;
    struct { int base, limit; } window;
};

int main(void)
{
    struct context now, saved;
    struct context *p = &now;

    now.flags = __VERIFIER_nondet_int();
    now.window.base = 16;
    now.window.limit = 32;
    saved = *p;
    p->window.base = __VERIFIER_nondet_int();
    p->flags = 0;
    assert(saved.window.base == 16);
    *p = saved;
    assert(now.window.base < now.window.limit);
    assert(now.flags == saved.flags);
    return 0;
}
