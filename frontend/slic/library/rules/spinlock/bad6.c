/* A lock on the stack is held when the function returns. */
typedef struct raw_spinlock { int slock; } raw_spinlock_t;
typedef struct spinlock { raw_spinlock_t rlock; } spinlock_t;
typedef struct { int counter; } atomic_t;

extern void spin_lock(spinlock_t *lock);
extern void spin_unlock(spinlock_t *lock);
extern int spin_trylock(spinlock_t *lock);
extern unsigned long _raw_spin_lock_irqsave(raw_spinlock_t *lock);
extern void spin_unlock_irqrestore(spinlock_t *lock, unsigned long flags);
extern int atomic_dec_and_lock(atomic_t *count, spinlock_t *lock);
extern int pending(int unit);
#define spin_lock_irqsave(l, flags) ((flags) = _raw_spin_lock_irqsave(&(l)->rlock))

static int probe(void)
{
	spinlock_t l;

	if (!spin_trylock(&l))
		return -16;
	return pending(0);
} /* fails: held-at-death */

int main(void)
{
	return probe();
}
