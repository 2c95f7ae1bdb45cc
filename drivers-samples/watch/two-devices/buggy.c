/*
 * two-devices - two devices behind one table.
 *
 * Each device is closed, open or suspended, for itself.  The driver gets at
 * them through the table, so two pointers may lead to one device or to two.
 *
 * Properties: only a closed device is opened, only an open one is written,
 * suspended or closed, and only a suspended one is resumed.
 *
 * The watch is one of the devices, either; watch_state is its state, and is
 * asserted where that of the watch is.
 */
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

enum state {
	DEV_CLOSED,
	DEV_OPEN,
	DEV_SUSPENDED
};

struct dev {
	enum state state;
};

static struct dev disk, tape;
static struct dev *table[2];

static struct dev *watch;	/* one device, any */
static enum state watch_state;	/* its state */

static void dev_set(struct dev *d, enum state state)
{
	d->state = state;
	if (d == watch)
		watch_state = state;
}

static void dev_open(struct dev *d)
{
	assert(d != watch || watch_state == DEV_CLOSED);
	dev_set(d, DEV_OPEN);
}

static void dev_close(struct dev *d)
{
	assert(d != watch || watch_state == DEV_OPEN);
	dev_set(d, DEV_CLOSED);
}

static void dev_suspend(struct dev *d)
{
	assert(d != watch || watch_state == DEV_OPEN);
	dev_set(d, DEV_SUSPENDED);
}

static void dev_resume(struct dev *d)
{
	assert(d != watch || watch_state == DEV_SUSPENDED);
	dev_set(d, DEV_OPEN);
}

static void dev_write(struct dev *d)
{
	assert(d != watch || watch_state == DEV_OPEN);
}

/* Writes to one device, while the other one is kept quiet. */
static void quiet_write(struct dev *d, struct dev *other)
{
	if (d->state != DEV_OPEN || other->state != DEV_OPEN)
		return;
	dev_suspend(other);
	dev_write(d);
	dev_resume(other);
}

/* The second device takes over from the first. */
static void take_over(struct dev *from, struct dev *to)
{
	if (from->state != DEV_OPEN || to->state != DEV_CLOSED)
		return;
	dev_open(to);
	dev_close(from);
	dev_write(to);
}

static struct dev *pick(void)
{
	return __VERIFIER_nondet_int() ? table[1] : table[0];
}

int main(void)
{
	struct dev *d, *other;

	watch = __VERIFIER_nondet_int() ? &disk : &tape;
	table[0] = &disk;
	table[1] = &tape;
	while (__VERIFIER_nondet_int()) {
		d = pick();
		other = pick();
		switch (__VERIFIER_nondet_int()) {
		case 0:
			if (d->state == DEV_CLOSED)
				dev_open(d);
			break;
		case 1:
			if (d->state == DEV_OPEN)
				dev_close(d);
			break;
		case 2:
			if (d->state == DEV_OPEN)
				dev_suspend(d);
			break;
		case 3:
			if (d->state == DEV_SUSPENDED)
				dev_resume(d);
			break;
		case 4:
			take_over(d, other);
			break;
		default:
			quiet_write(d, other);
			break;
		}
	}
	return 0;
}
