/* The callee takes the lock that its caller holds. */
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

static int count(struct port *p)
{
	int n;

	spin_lock(&p->lock); /* fails: double-lock */
	n = p->id;
	spin_unlock(&p->lock);
	return n;
}

int main(void)
{
	int n;

	spin_lock(&port.lock);
	n = count(&port);
	spin_unlock(&port.lock);
	return n;
}
