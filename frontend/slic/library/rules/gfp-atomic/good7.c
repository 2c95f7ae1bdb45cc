/* Whether there is a lock depends on the reference; what sleeps comes after its release. */
#include "rule.h"

typedef struct { int counter; } rwlock_t;
typedef struct { int refs; } refcount_t;
extern _Bool refcount_dec_and_lock(refcount_t *r, spinlock_t *lock);
extern int write_trylock(rwlock_t *lock);
extern void write_unlock(rwlock_t *lock);

static rwlock_t table;
static refcount_t users;
static spinlock_t lock;

int main(void)
{
	int locked = write_trylock(&table);
	void *b = kmalloc(8, locked ? GFP_ATOMIC : GFP_KERNEL);

	if (locked)
		write_unlock(&table);
	if (refcount_dec_and_lock(&users, &lock))
		spin_unlock(&lock);
	msleep(10);
	kfree(b);
	return 0;
}
