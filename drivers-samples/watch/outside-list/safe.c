/*
 * outside-list - a list of devices that others have made.
 *
 * The list has one device or two.  It may be a ring: then the device after the
 * first one is the first one itself.  The driver marks the devices, works with
 * them, and takes the marks off.  What marks there were before is not known.
 *
 * Property: no device is marked that has a mark of ours, and a mark is taken
 * off only where there is one.
 *
 * The watch is one of the devices, any: which one is chosen where the driver
 * first sees them.  watch_marked tells whether it has a mark of ours, and is
 * asserted where the mark of the watch is.
 */
#include <assert.h>
#include <stddef.h>

extern int __VERIFIER_nondet_int(void);

struct dev {
	struct dev *next;
	int marked;
};

extern struct dev *first_dev(void);

static struct dev *watch;	/* one device, any */
static int watch_marked;	/* whether it is marked */

static void dev_set(struct dev *d, int marked)
{
	d->marked = marked;
	if (d == watch)
		watch_marked = marked;
}

/* There is no mark of ours yet. */
static void dev_seen(struct dev *d)
{
	if (!watch && __VERIFIER_nondet_int())
		watch = d;
	dev_set(d, 0);
}

static void dev_mark(struct dev *d)
{
	assert(d != watch || !watch_marked);
	dev_set(d, 1);
}

static void dev_unmark(struct dev *d)
{
	assert(d != watch || watch_marked);
	dev_set(d, 0);
}

static void dev_work(struct dev *d, struct dev *other)
{
	assert(d != watch || watch_marked);
	if (other)
		assert(other != watch || watch_marked);
}

static void walk(struct dev *first)
{
	struct dev *second = first->next;

	if (second == first)
		second = NULL;

	dev_seen(first);
	if (second)
		dev_seen(second);

	dev_mark(first);
	if (second)
		dev_mark(second);

	if (__VERIFIER_nondet_int())
		dev_work(first, second);
	else if (second)
		dev_work(second, first);

	dev_unmark(first);
	if (second)
		dev_unmark(second);
}

int main(void)
{
	struct dev *first;

	while (__VERIFIER_nondet_int()) {
		first = first_dev();
		if (first)
			walk(first);
	}
	return 0;
}
