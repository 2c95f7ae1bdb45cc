/* A flag tells whether the lock was got; a lock that is held is not got again. */
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

static spinlock_t console;

static void emit(void)
{
	int locked = spin_trylock(&console);

	pending(4);
	if (locked)
		spin_unlock(&console);
}

int main(void)
{
	emit();
	spin_lock(&console);
	emit();
	spin_unlock(&console);
	return 0;
}
