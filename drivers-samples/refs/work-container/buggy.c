/*
 * work-container - work items that lie in their devices.
 *
 * Each device has a lock and a work item in it. A work item knows its function
 * only; the function finds the device around it. Two devices, allocated at
 * start; the interrupt handler queues the work of one of them, and the worker
 * runs what is queued.
 *
 * Property: a lock is taken only if it is free, and released only if it is
 * held.
 */
#include <assert.h>
#include <stddef.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

#define container_of(p, type, member) ((type *)((char *)(p) - offsetof(type, member)))

struct lock {
	int held;
};

struct work {
	void (*fn)(struct work *);
};

struct dev {
	int errors;
	struct lock lock;
	struct work work;
};

static struct work *queued;

static void lock_acquire(struct lock *l)
{
	assert(!l->held);
	l->held = 1;
}

static void lock_release(struct lock *l)
{
	assert(l->held);
	l->held = 0;
}

/* Runs with the lock of its device held, and gives it up. */
static void dev_work(struct work *w)
{
	struct dev *d = container_of(w, struct dev, work);

	d->errors = 0;
	lock_release(&d->lock);
}

static struct dev *dev_create(void)
{
	struct dev *d = malloc(sizeof(*d));

	if (!d)
		return NULL;
	d->errors = 0;
	d->lock.held = 0;
	d->work.fn = dev_work;
	return d;
}

static void interrupt(struct dev *d)
{
	d->errors++;
	if (queued == &d->work)
		return;
	lock_acquire(&d->lock);
	queued = &d->work;
}

static void worker(void)
{
	struct work *w = queued;

	if (!w)
		return;
	queued = NULL;
	w->fn(w);
}

int main(void)
{
	struct dev *a = dev_create();
	struct dev *b = dev_create();

	if (!a || !b)
		return 0;
	while (__VERIFIER_nondet_int()) {
		switch (__VERIFIER_nondet_int()) {
		case 0:
			interrupt(a);
			break;
		case 1:
			interrupt(b);
			break;
		default:
			worker();
			break;
		}
	}
	return 0;
}
