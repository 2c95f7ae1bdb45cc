/* The lock is taken in one function and released in another, in a loop. */
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

struct port { int id; spinlock_t lock; };
static struct port port;

static struct port *begin(struct port *p)
{
	spin_lock(&p->lock);
	return p;
}

static void done(struct port *p)
{
	spin_unlock(&p->lock);
}

int main(void)
{
	while (pending(port.id))
		done(begin(&port));
	return 0;
}
