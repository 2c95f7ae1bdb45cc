/*
 * ownership - whoever owns a buffer frees it.
 *
 * A buffer goes down from the socket through the protocol to the wire.  Each
 * function takes it over: it passes it on or frees it, also if it fails.  The
 * memory goes back only when the state of the buffer has been looked at.
 *
 * Properties: no buffer is freed twice; each one is freed when it has been
 * sent, and none before.
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

static struct buf *buf_alloc(void)
{
	struct buf *b = malloc(sizeof(*b));

	if (b)
		b->freed = 0;
	return b;
}

static void buf_free(struct buf *b)
{
	assert(!b->freed);
	b->freed = 1;
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
	if (err)
		lost = 1;
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
			assert(data->freed);
			assert(!ack->freed);
			sock_send(ack);
			assert(ack->freed);
		}
		free(data);
		free(ack);
	}
	return 0;
}
