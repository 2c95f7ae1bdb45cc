/* A reader does not get a lock that he reads for writing, and goes on. */
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
	read_lock(&table);
	if (write_trylock(&table)) {
		lookup(0);
		write_unlock(&table);
	}
	if (read_trylock(&table) == 1)
		read_unlock(&table);
	read_unlock(&table);
	return 0;
}
