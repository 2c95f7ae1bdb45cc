/* Under a lock for readers that also disables bottom halves, and one that a last reference takes. */
#include "rule.h"

typedef struct { int counter; } rwlock_t;
typedef struct { int refs; } refcount_t;
extern void read_lock_bh(rwlock_t *lock);
extern void read_unlock_bh(rwlock_t *lock);
extern _Bool refcount_dec_and_lock(refcount_t *r, spinlock_t *lock);

static rwlock_t table;
static refcount_t users;
static spinlock_t lock;

int main(void)
{
	read_lock_bh(&table);
	if (refcount_dec_and_lock(&users, &lock))
		spin_unlock(&lock);
	msleep(10); /* fails: sleeping-call */
	read_unlock_bh(&table);
	return 0;
}
