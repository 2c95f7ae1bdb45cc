/*
 * swap-subobjects - two devices exchange their buffers.
 *
 * Each device has a buffer, which is mapped while the device runs.  When they
 * exchange their buffers, what is mapped goes with the buffer, so that
 * `running` has to go with it.
 *
 * Properties: a buffer is not mapped twice, nor unmapped twice, and a device
 * that runs has a buffer that is mapped.
 *
 * The watch is one of the buffers, either; watch_mapped tells whether it is
 * mapped, and is asserted where that of the watch is.  Only the watch stops a
 * run: where the other buffer is wrong, it goes on.
 */
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

struct buf {
	int mapped;
};

struct dev {
	struct buf *buf;
	int running;
};

static struct buf front, back;
static struct dev left, right;

static struct buf *watch;	/* one buffer, any */
static int watch_mapped;	/* whether it is mapped */

static void buf_set(struct buf *b, int mapped)
{
	b->mapped = mapped;
	if (b == watch)
		watch_mapped = mapped;
}

static void buf_map(struct buf *b)
{
	assert(b != watch || !watch_mapped);
	buf_set(b, 1);
}

static void buf_unmap(struct buf *b)
{
	assert(b != watch || watch_mapped);
	buf_set(b, 0);
}

static void dev_start(struct dev *d)
{
	if (d->running)
		return;
	buf_map(d->buf);
	d->running = 1;
}

static void dev_stop(struct dev *d)
{
	if (!d->running)
		return;
	buf_unmap(d->buf);
	d->running = 0;
}

static void dev_kick(struct dev *d)
{
	if (d->running)
		assert(d->buf != watch || watch_mapped);
}

/* Both go on with the buffer of the other one; they may be one device. */
static void dev_swap(struct dev *d, struct dev *e)
{
	struct buf *b = d->buf;
	int running = d->running;

	d->buf = e->buf;
	e->buf = b;
	d->running = running;
	dev_kick(d);
	dev_kick(e);
}

static struct dev *pick(void)
{
	return __VERIFIER_nondet_int() ? &left : &right;
}

int main(void)
{
	struct dev *d;

	watch = __VERIFIER_nondet_int() ? &front : &back;
	left.buf = &front;
	right.buf = &back;
	while (__VERIFIER_nondet_int()) {
		d = pick();
		switch (__VERIFIER_nondet_int()) {
		case 0:
			dev_start(d);
			break;
		case 1:
			dev_stop(d);
			break;
		case 2:
			dev_swap(d, pick());
			break;
		default:
			dev_kick(d);
			break;
		}
	}
	return 0;
}
