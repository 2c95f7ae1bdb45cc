/* The error path is shared with one that has no lock. */
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

struct nic { int up; spinlock_t lock; };
static struct nic nic;

static int xmit(struct nic *n)
{
	unsigned long flags = 0;
	int ret = -19;

	if (pending(1))
		goto out;
	spin_lock_irqsave(&n->lock, flags);
	ret = 0;
out:
	spin_unlock_irqrestore(&n->lock, flags); /* fails: double-unlock */
	return ret;
}

int main(void)
{
	return xmit(&nic);
}
