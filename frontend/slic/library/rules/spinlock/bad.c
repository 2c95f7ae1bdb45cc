/* The error path of submit forgets the lock. */
typedef struct { int raw; } spinlock_t;
struct dev {
	int users;
	spinlock_t lock;
};

extern void spin_lock(spinlock_t *l);
extern void spin_unlock(spinlock_t *l);
extern int spin_trylock(spinlock_t *l);
extern int transfer(struct dev *d);
extern int __VERIFIER_nondet_int(void);

static struct dev disk, tape;

static int submit(struct dev *d)
{
	spin_lock(&d->lock); /* fails: double-lock */
	d->users = d->users + 1;
	if (transfer(d) < 0) {
		return -5;
	}
	spin_unlock(&d->lock);
	return 0;
}

static void poll(struct dev *d)
{
	if (!spin_trylock(&d->lock))
		return;
	d->users = 0;
	spin_unlock(&d->lock);
}

int main(void)
{
	while (__VERIFIER_nondet_int()) {
		submit(__VERIFIER_nondet_int() ? &disk : &tape);
		poll(&tape);
	}
	return 0;
}
