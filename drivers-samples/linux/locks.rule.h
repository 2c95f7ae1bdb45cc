/*
 * The rule: a lock is not taken twice, not released unless it is taken, and none is held when an
 * entry returns. There is one state for all spin locks and one for all mutexes.
 */
extern void __VERIFIER_assert(int);
extern int __VERIFIER_nondet_int(void);
static int c2bp_spin, c2bp_mutex;

static void c2bp_take_spin(void) { __VERIFIER_assert(!c2bp_spin); c2bp_spin = 1; }
static void c2bp_drop_spin(void) { __VERIFIER_assert(c2bp_spin); c2bp_spin = 0; }
static void c2bp_take_mutex(void) { __VERIFIER_assert(!c2bp_mutex); c2bp_mutex = 1; }
static void c2bp_drop_mutex(void) { __VERIFIER_assert(c2bp_mutex); c2bp_mutex = 0; }
static void c2bp_entry_returns(void) { __VERIFIER_assert(!c2bp_spin); __VERIFIER_assert(!c2bp_mutex); }

void _raw_spin_lock(raw_spinlock_t *l) { c2bp_take_spin(); }
void _raw_spin_lock_bh(raw_spinlock_t *l) { c2bp_take_spin(); }
void _raw_spin_lock_irq(raw_spinlock_t *l) { c2bp_take_spin(); }
unsigned long _raw_spin_lock_irqsave(raw_spinlock_t *l) { c2bp_take_spin(); return 0; }
int _raw_spin_trylock(raw_spinlock_t *l)
{
	if (c2bp_spin || __VERIFIER_nondet_int())
		return 0;
	c2bp_spin = 1;
	return 1;
}
void _raw_spin_unlock(raw_spinlock_t *l) { c2bp_drop_spin(); }
void _raw_spin_unlock_bh(raw_spinlock_t *l) { c2bp_drop_spin(); }
void _raw_spin_unlock_irq(raw_spinlock_t *l) { c2bp_drop_spin(); }
void _raw_spin_unlock_irqrestore(raw_spinlock_t *l, unsigned long flags) { c2bp_drop_spin(); }

void mutex_lock(struct mutex *l) { c2bp_take_mutex(); }
int mutex_trylock(struct mutex *l)
{
	if (c2bp_mutex || __VERIFIER_nondet_int())
		return 0;
	c2bp_mutex = 1;
	return 1;
}
int mutex_lock_interruptible(struct mutex *l)
{
	if (__VERIFIER_nondet_int())
		return -4;
	c2bp_take_mutex();
	return 0;
}
int mutex_lock_killable(struct mutex *l) { return mutex_lock_interruptible(l); }
void mutex_unlock(struct mutex *l) { c2bp_drop_mutex(); }
