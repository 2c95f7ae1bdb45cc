/*
 * two-paths-lock - one lock, two ways to it.
 *
 * A device names its lock, a request its device.  Two devices may share one
 * lock, if they are on one board; whether they do is found out at start.  A
 * copy needs the locks of both devices.  Locks are taken through the requests
 * and released through the devices.
 *
 * Property: a lock is taken only if it is free, and released only if it is
 * held.
 *
 * The watch is one of the locks, either; watch_held tells whether it is held,
 * and is asserted where that of the watch is.
 */
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

struct lock {
	int held;
};

struct dev {
	struct lock *lock;
};

struct req {
	struct dev *dev;
};

static struct lock board, extra;
static struct dev disk, tape;

static struct lock *watch;	/* one lock, any */
static int watch_held;		/* whether it is held */

static void lock_set(struct lock *l, int held)
{
	l->held = held;
	if (l == watch)
		watch_held = held;
}

static void lock_acquire(struct lock *l)
{
	assert(l != watch || !watch_held);
	lock_set(l, 1);
}

static void lock_release(struct lock *l)
{
	assert(l != watch || watch_held);
	lock_set(l, 0);
}

static void dev_done(struct dev *d)
{
	lock_release(d->lock);
}

/* One device only. */
static void do_read(struct req *r)
{
	struct dev *d = r->dev;

	lock_acquire(r->dev->lock);
	dev_done(d);
}

/* From one device to the other, which may be the same. */
static void do_copy(struct req *from, struct req *to)
{
	struct dev *src = from->dev;
	struct dev *dst = to->dev;

	lock_acquire(from->dev->lock);
	if (to->dev->lock != from->dev->lock)
		lock_acquire(to->dev->lock);

	dev_done(src);
	if (src->lock != dst->lock)
		dev_done(dst);
}

static struct dev *pick(void)
{
	return __VERIFIER_nondet_int() ? &disk : &tape;
}

int main(void)
{
	struct req in, out;

	watch = __VERIFIER_nondet_int() ? &board : &extra;
	disk.lock = &board;
	if (__VERIFIER_nondet_int())
		tape.lock = &board;
	else
		tape.lock = &extra;

	while (__VERIFIER_nondet_int()) {
		in.dev = pick();
		out.dev = pick();
		switch (__VERIFIER_nondet_int()) {
		case 0:
			do_read(&in);
			break;
		case 1:
			do_read(&out);
			break;
		default:
			do_copy(&in, &out);
			break;
		}
	}
	return 0;
}
