/* Whoever gives the last reference back gets the lock. */
typedef struct raw_spinlock { int slock; } raw_spinlock_t;
typedef struct spinlock { raw_spinlock_t rlock; } spinlock_t;
typedef struct { int refs; } refcount_t;

extern void spin_lock(spinlock_t *lock);
extern void spin_unlock(spinlock_t *lock);
extern _Bool refcount_dec_and_lock(refcount_t *r, spinlock_t *lock);
extern int pending(int unit);

static spinlock_t table;
static refcount_t users;
static int gone;

int main(void)
{
	if (!refcount_dec_and_lock(&users, &table))
		return pending(0);
	gone = 1;
	spin_unlock(&table);
	return 0;
}
