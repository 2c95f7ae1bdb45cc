/*
 * swap-subobjects - two devices exchange their buffers.
 *
 * Each device has a buffer, which is mapped while the device runs.  When they
 * exchange their buffers, what is mapped goes with the buffer, so that
 * `running` has to go with it.
 *
 * Properties: a buffer is not mapped twice, nor unmapped twice, and a device
 * that runs has a buffer that is mapped.
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

static void buf_map(struct buf *b)
{
	assert(!b->mapped);
	b->mapped = 1;
}

static void buf_unmap(struct buf *b)
{
	assert(b->mapped);
	b->mapped = 0;
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
		assert(d->buf->mapped);
}

/* Both go on with the buffer of the other one; they may be one device. */
static void dev_swap(struct dev *d, struct dev *e)
{
	struct buf *b = d->buf;
	int running = d->running;

	d->buf = e->buf;
	e->buf = b;
	d->running = e->running;
	e->running = running;
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
