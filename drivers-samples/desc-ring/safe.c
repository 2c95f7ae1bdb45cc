/*
 * etl - transmit and receive rings of a small Ethernet controller.
 *
 * Each ring is an array of descriptors shared with the controller.  The
 * driver fills the transmit ring at `head` and cleans it at `tail`; the
 * receive ring is emptied at `next` and refilled where it was emptied.  The
 * driver allocates the device with its rings when it is probed.
 *
 * A frame that is larger than one buffer is cut into fragments, one
 * descriptor each.  Frames that come in are copied to the caller's buffer,
 * whose size the caller gives.
 *
 * Properties: every index into a ring, into a buffer, and into a caller's
 * buffer is in bounds; no fragment is put into a full ring, and no descriptor
 * is taken back from an empty one.
 */
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern unsigned int inl(unsigned long port);
extern void outl(unsigned int value, unsigned long port);

#define EIO		5
#define EAGAIN		11
#define ENOMEM		12
#define EMSGSIZE	90

#define ETL_TX_KICK	0x10u
#define ETL_RX_KICK	0x14u

#define TX_RING		16u
#define RX_RING		8u
#define BUF_SIZE	256u
#define MAX_FRAME	1024u
#define MAX_FRAGS	4u

#define DESC_OWN	0x80000000u
#define DESC_FIRST	0x40000000u
#define DESC_LAST	0x20000000u
#define DESC_ERROR	0x10000000u
#define DESC_LEN	0x00000fffu

struct buffer {
	unsigned int len;
	unsigned char data[BUF_SIZE];
};

struct desc {
	unsigned int flags;
	unsigned int addr;
};

struct tx_ring {
	unsigned int head;
	unsigned int tail;
	unsigned int room;	/* free descriptors */
	struct desc *desc;	/* coherent memory, TX_RING of them */
	struct buffer *buf;
};

struct rx_ring {
	unsigned int next;
	struct desc *desc;
	struct buffer *buf;
};

struct etl_stats {
	unsigned int tx_frames;
	unsigned int tx_dropped;
	unsigned int rx_frames;
	unsigned int rx_errors;
};

struct etl {
	unsigned long base;
	struct tx_ring *tx;
	struct rx_ring *rx;
	struct etl_stats stats;
};

/* ---- transmit ---------------------------------------------------------- */

static struct tx_ring *tx_alloc(void)
{
	struct tx_ring *r;

	r = malloc(sizeof(*r));
	if (!r)
		return NULL;
	r->desc = malloc(TX_RING * sizeof(*r->desc));
	if (!r->desc)
		goto err_ring;
	r->buf = malloc(TX_RING * sizeof(*r->buf));
	if (!r->buf)
		goto err_desc;
	r->head = 0;
	r->tail = 0;
	r->room = TX_RING;
	return r;

err_desc:
	free(r->desc);
err_ring:
	free(r);
	return NULL;
}

static void tx_free(struct tx_ring *r)
{
	free(r->buf);
	free(r->desc);
	free(r);
}

static struct desc *tx_desc(struct tx_ring *r, unsigned int i)
{
	assert(i < TX_RING);
	return &r->desc[i];
}

static struct buffer *tx_buffer(struct tx_ring *r, unsigned int i)
{
	assert(i < TX_RING);
	return &r->buf[i];
}

/* Copy len bytes of a frame into a buffer. */
static void buffer_fill(struct buffer *b, const unsigned char *from,
			unsigned int len)
{
	unsigned int i;

	for (i = 0; i < len; i++) {
		assert(i < BUF_SIZE);
		b->data[i] = from[i];
	}
	b->len = len;
}

/* Put one fragment at the head of the ring. */
static void tx_push(struct tx_ring *r, const unsigned char *from,
		    unsigned int len, unsigned int flags)
{
	struct desc *d;

	assert(r->room > 0);
	buffer_fill(tx_buffer(r, r->head), from, len);
	d = tx_desc(r, r->head);
	d->addr = r->head * 0x1000u;
	d->flags = flags | DESC_OWN;
	r->head = (r->head + 1) % TX_RING;
	r->room--;
}

static unsigned int frags_of(unsigned int len)
{
	return (len + BUF_SIZE - 1) / BUF_SIZE;
}

static int etl_xmit(struct etl *e, const unsigned char *frame,
		    unsigned int len)
{
	struct tx_ring *r = e->tx;
	unsigned int frags, part, flags;

	if (len == 0 || len > MAX_FRAME)
		return -EMSGSIZE;
	frags = frags_of(len);
	if (frags > r->room) {
		e->stats.tx_dropped++;
		return -EAGAIN;
	}

	flags = DESC_FIRST;
	while (frags > 0) {
		part = len;
		if (part > BUF_SIZE)
			part = BUF_SIZE;
		if (frags == 1)
			flags |= DESC_LAST;
		tx_push(r, frame, part, flags);
		frame += part;
		len -= part;
		frags--;
		flags = 0;
	}
	outl(1, e->base + ETL_TX_KICK);
	return 0;
}

/* Take back what the controller has sent. */
static void etl_tx_clean(struct etl *e)
{
	struct tx_ring *r = e->tx;
	struct desc *d;

	while (r->room < TX_RING) {
		d = tx_desc(r, r->tail);
		if (__VERIFIER_nondet_int())
			d->flags &= ~DESC_OWN;	/* the controller's doing */
		if (d->flags & DESC_OWN)
			break;
		if (d->flags & DESC_LAST)
			e->stats.tx_frames++;
		r->tail = (r->tail + 1) % TX_RING;
		r->room++;
		assert(r->room <= TX_RING);
	}
}

/* ---- receive ----------------------------------------------------------- */

static void rx_give(struct rx_ring *r, unsigned int i)
{
	assert(i < RX_RING);
	r->buf[i].len = 0;
	r->desc[i].addr = 0x100000u + i * 0x1000u;
	r->desc[i].flags = DESC_OWN;
}

static struct rx_ring *rx_alloc(void)
{
	struct rx_ring *r;
	unsigned int i;

	r = malloc(sizeof(*r));
	if (!r)
		return NULL;
	r->desc = malloc(RX_RING * sizeof(*r->desc));
	if (!r->desc)
		goto err_ring;
	r->buf = malloc(RX_RING * sizeof(*r->buf));
	if (!r->buf)
		goto err_desc;
	for (i = 0; i < RX_RING; i++)
		rx_give(r, i);
	r->next = 0;
	return r;

err_desc:
	free(r->desc);
err_ring:
	free(r);
	return NULL;
}

static void rx_free(struct rx_ring *r)
{
	free(r->buf);
	free(r->desc);
	free(r);
}

/* The controller puts a frame into the ring: any length, any content. */
static void rx_arrive(struct rx_ring *r, unsigned int i)
{
	unsigned int n;

	assert(i < RX_RING);
	for (n = 0; n < BUF_SIZE; n++)
		r->buf[i].data[n] = __VERIFIER_nondet_uchar();
	r->desc[i].flags = __VERIFIER_nondet_uint() & ~DESC_OWN;
}

/* Copy the frame in buffer i to the caller; returns its length. */
static int rx_copy(struct rx_ring *r, unsigned int i, unsigned char *to,
		   unsigned int size)
{
	unsigned int len, n;

	assert(i < RX_RING);
	if (r->desc[i].flags & DESC_ERROR)
		return -EIO;
	len = r->desc[i].flags & DESC_LEN;
	if (len > BUF_SIZE)
		len = BUF_SIZE;		/* cut by the controller */
	if (len > size)
		return -EMSGSIZE;
	for (n = 0; n < len; n++) {
		assert(n < BUF_SIZE);
		assert(n < size);
		to[n] = r->buf[i].data[n];
	}
	return (int)len;
}

static int etl_receive(struct etl *e, unsigned char *to, unsigned int size)
{
	struct rx_ring *r = e->rx;
	int got;

	if (__VERIFIER_nondet_int())
		rx_arrive(r, r->next);
	if (r->desc[r->next].flags & DESC_OWN)
		return -EAGAIN;
	got = rx_copy(r, r->next, to, size);
	if (got < 0)
		e->stats.rx_errors++;
	else
		e->stats.rx_frames++;
	rx_give(r, r->next);
	r->next++;
	if (r->next == RX_RING)
		r->next = 0;
	outl(1, e->base + ETL_RX_KICK);
	return got;
}

/* ---- probe and remove -------------------------------------------------- */

static struct etl *etl_probe(unsigned long base)
{
	struct etl *e;

	e = malloc(sizeof(*e));
	if (!e)
		return NULL;
	e->base = base;
	e->stats.tx_frames = 0;
	e->stats.tx_dropped = 0;
	e->stats.rx_frames = 0;
	e->stats.rx_errors = 0;
	e->tx = tx_alloc();
	if (!e->tx)
		goto err_dev;
	e->rx = rx_alloc();
	if (!e->rx)
		goto err_tx;
	return e;

err_tx:
	tx_free(e->tx);
err_dev:
	free(e);
	return NULL;
}

static void etl_remove(struct etl *e)
{
	rx_free(e->rx);
	tx_free(e->tx);
	free(e);
}

int main(void)
{
	static unsigned char out[MAX_FRAME];
	unsigned char in[128];
	struct etl *e;

	e = etl_probe(0x300u);
	if (!e)
		return 0;
	while (__VERIFIER_nondet_int()) {
		switch (__VERIFIER_nondet_int()) {
		case 0:
			etl_tx_clean(e);
			break;
		case 1:
			etl_receive(e, in, sizeof(in));
			break;
		default:
			etl_xmit(e, out, __VERIFIER_nondet_uint());
			break;
		}
	}
	etl_remove(e);
	return 0;
}
