/* A lock in an object of the driver, to which pointers from outside lead, too: a pointer with a flag in its lowest bit. */
typedef struct raw_spinlock { int slock; } raw_spinlock_t;
typedef struct spinlock { raw_spinlock_t rlock; } spinlock_t;
typedef struct { int counter; } atomic_t;

extern void spin_lock(spinlock_t *lock);
extern void spin_unlock(spinlock_t *lock);
extern int spin_trylock(spinlock_t *lock);
extern unsigned long _raw_spin_lock_irqsave(raw_spinlock_t *lock);
extern void spin_unlock_irqrestore(spinlock_t *lock, unsigned long flags);
extern int atomic_dec_and_lock(atomic_t *count, spinlock_t *lock);
#define spin_lock_irqsave(l, flags) ((flags) = _raw_spin_lock_irqsave(&(l)->rlock))

struct file { void *private_data; };
struct port { spinlock_t lock; int open; };
extern struct file *opened(void);
static struct port ports[2];

int main(void)
{
	struct file *f = opened();
	struct port *p;

	if (!f)
		return -12;
	f->private_data = (void *)((unsigned long)&ports[0] | 1UL);
	p = (struct port *)((unsigned long)f->private_data & ~1UL);
	if (p != &ports[0])
		return -22;
	spin_lock(&p->lock);
	p->open = 1;
	return 0;
} /* fails: held-at-end */
