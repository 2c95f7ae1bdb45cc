/* The next round of the loop takes the mutex with the lock. */
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
static spinlock_t lock, other;
static struct mutex mutex;

int main(void)
{
	int i;

	for (i = 0; i < 2; i++) {
		mutex_lock(&mutex); /* fails: sleeping-call */
		if (i == 0)
			spin_lock(&lock);
		mutex_unlock(&mutex);
	}
	spin_unlock(&lock);
	return 0;
}
