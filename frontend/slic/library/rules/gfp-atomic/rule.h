/* Declarations of the kernel for the examples of gfp-atomic. */
#include <stdlib.h>

typedef unsigned int gfp_t;
typedef struct { int slock; } spinlock_t;
struct mutex { long owner; };
#define GFP_ATOMIC 0x820u
#define GFP_NOIO 0xc00u
#define GFP_KERNEL 0xcc0u

extern void spin_lock(spinlock_t *lock);
extern void spin_unlock(spinlock_t *lock);
extern int spin_trylock(spinlock_t *lock);
extern void *kmalloc(size_t size, gfp_t flags);
extern void kfree(const void *p);
extern void mutex_lock(struct mutex *lock);
extern void mutex_unlock(struct mutex *lock);
extern void msleep(unsigned int msecs);
extern int input(void);
