/* Declarations for the examples of NAME. */
struct thing { int raw; };

extern int acquire(struct thing *t);
extern void release(struct thing *t);
extern int work(int n);
