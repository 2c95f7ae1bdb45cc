/*
 * ownership - whoever owns a buffer frees it.
 *
 * A buffer goes down from the socket through the protocol to the wire.  Each
 * function takes it over: it passes it on or frees it, also if it fails.  The
 * memory goes back only when the state of the buffer has been looked at.
 *
 * Properties: no buffer is freed twice; each one is freed when it has been
 * sent, and none before.
 *
 * The watch is one of the buffers, any: which one is chosen where they are
 * allocated.  watch_freed tells whether it is freed, and is asserted where that
 * of the watch is.  A buffer whose memory goes back is the watch no longer.
 */
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

#define EIO	5
#define ENODEV	19
#define EINVAL	22

struct buf {
	int freed;
};

static int lost;		/* a buffer has not been sent */

static struct buf *watch;	/* one buffer, any */
static int watch_freed;		/* whether it is freed */

static void buf_set(struct buf *b, int freed)
{
	b->freed = freed;
	if (b == watch)
		watch_freed = freed;
}

static struct buf *buf_alloc(void)
{
	struct buf *b = malloc(sizeof(*b));

	if (!b)
		return NULL;
	if (!watch && __VERIFIER_nondet_int())
		watch = b;
	buf_set(b, 0);
	return b;
}

static void buf_free(struct buf *b)
{
	assert(b != watch || !watch_freed);
	buf_set(b, 1);
}

static void buf_release(struct buf *b)
{
	if (b == watch)
		watch = NULL;
	free(b);
}

/* Owns the buffer to the end. */
static int wire_send(struct buf *b)
{
	int err = 0;

	if (__VERIFIER_nondet_int())
		err = -EIO;
	buf_free(b);
	return err;
}

static int proto_send(struct buf *b)
{
	if (__VERIFIER_nondet_int()) {
		buf_free(b);
		return -EINVAL;
	}
	return wire_send(b);
}

static int sock_send(struct buf *b)
{
	int err;

	if (__VERIFIER_nondet_int()) {
		buf_free(b);
		return -ENODEV;
	}
	err = proto_send(b);
	if (err) {
		lost = 1;
		buf_free(b);
	}
	return err;
}

int main(void)
{
	struct buf *data, *ack;

	while (__VERIFIER_nondet_int()) {
		data = buf_alloc();
		ack = buf_alloc();
		if (data && ack) {
			sock_send(data);
			assert(data != watch || watch_freed);
			assert(ack != watch || !watch_freed);
			sock_send(ack);
			assert(ack != watch || watch_freed);
		}
		buf_release(data);
		buf_release(ack);
	}
	return 0;
}
