/* Two names of one lock. */
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

struct queue { int n; spinlock_t *lock; };
static spinlock_t shared;

static void move(struct queue *from, struct queue *to)
{
	spin_lock(from->lock);
	spin_lock(to->lock); /* fails: double-lock */
	pending(0);
	spin_unlock(to->lock);
	spin_unlock(from->lock);
}

int main(void)
{
	struct queue a = { 0, &shared }, b = { 0, &shared };

	move(&a, &b);
	return 0;
}
