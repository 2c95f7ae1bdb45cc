/* The two tables may be one. */
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

struct table { rwlock_t lock; int size; };
static struct table old, young;

static void move(struct table *from, struct table *to)
{
	write_lock(&from->lock);
	write_lock(&to->lock); /* fails: double-write */
	lookup(from->size);
	write_unlock(&to->lock);
	write_unlock(&from->lock);
}

int main(void)
{
	struct table *t = lookup(0) ? &old : &young;

	move(&old, t);
	return 0;
}
