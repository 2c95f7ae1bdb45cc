/* Of two readers one stays. */
typedef struct { int raw; } rwlock_t;

extern void read_lock(rwlock_t *lock);
extern void read_unlock(rwlock_t *lock);
extern void write_lock(rwlock_t *lock);
extern void write_unlock(rwlock_t *lock);
extern int read_trylock(rwlock_t *lock);
extern int write_trylock(rwlock_t *lock);
extern unsigned long _raw_write_lock_irqsave(rwlock_t *lock);
extern void _raw_write_unlock_irqrestore(rwlock_t *lock, unsigned long flags);
extern int lookup(int key);
#define write_lock_irqsave(lock, flags) ((flags) = _raw_write_lock_irqsave(lock))

static rwlock_t table;

int main(void)
{
	int n = 0;

	read_lock(&table);
	read_lock(&table);
	n = lookup(n);
	if (n < 0) {
		read_unlock(&table);
		return n;
	}
	read_unlock(&table);
	read_unlock(&table);
	return 0;
} /* fails: read-at-end */
