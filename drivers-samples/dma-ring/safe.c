/*
 * rtx - transmit ring of a DMA engine.
 *
 * RING_SIZE descriptors live in memory shared with the card.  The driver
 * fills descriptors at `head`, the card consumes them in order, and the
 * cleaner takes them back at `tail`.  A frame needs one descriptor, or two
 * when a separate header is sent in front of the payload.
 *
 * Properties: descriptor indices stay in the ring; a descriptor that the
 * card still owns is never overwritten; the driver's count of descriptors in
 * use agrees with what it told the upper layer.
 */
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);
extern unsigned int inl(unsigned int port);
extern void outl(unsigned int value, unsigned int port);

#define RING_SIZE	4		/* the on-chip ring is small */

#define RTX_DESC_BASE	0x4000u
#define RTX_DESC(i)	(RTX_DESC_BASE + 8u * (unsigned int)(i))
#define RTX_DOORBELL	0x3000u
#define RTX_CTRL	0x3004u
#define RTX_CTRL_RESET	0x80000000u

#define DESC_OWN	0x80000000u
#define DESC_HDR	0x00000001u
#define DESC_LAST	0x00000002u

static int head;		/* next descriptor to fill */
static int tail;		/* next descriptor to clean */
static int used;		/* descriptors between tail and head */

static int ring_next(int idx)
{
	idx = idx + 1;
	if (idx == RING_SIZE)
		idx = 0;
	return idx;
}

static void desc_write(int idx, unsigned int addr, unsigned int flags)
{
	assert(idx >= 0 && idx < RING_SIZE);
	outl(addr, RTX_DESC(idx));
	outl(flags | DESC_OWN, RTX_DESC(idx) + 4u);
}

static int desc_busy(int idx)
{
	assert(idx >= 0 && idx < RING_SIZE);
	return (inl(RTX_DESC(idx) + 4u) & DESC_OWN) != 0;
}

static void ring_push(unsigned int addr, unsigned int flags)
{
	/* The slot at head must not belong to the card any more. */
	assert(used < RING_SIZE);
	desc_write(head, addr, flags);
	head = ring_next(head);
	used = used + 1;
}

/* Queue one frame; returns the number of descriptors taken, 0 when full. */
static int ring_submit(unsigned int hdr, unsigned int addr, int split)
{
	int needed = 1;
	int queued = 0;

	if (split)
		needed = 2;

	if (used + needed > RING_SIZE)
		goto out;		/* the upper layer tries again */

	if (needed == 2) {
		ring_push(hdr, DESC_HDR);
		queued = queued + 1;
	}
	ring_push(addr, DESC_LAST);
	queued = queued + 1;
	outl((unsigned int)head, RTX_DOORBELL);
out:
	return queued;
}

/* Take back at most budget descriptors; returns how many. */
static int ring_clean(int budget)
{
	int cleaned = 0;

	while (cleaned < budget && used > 0) {
		if (desc_busy(tail))
			break;
		tail = ring_next(tail);
		used = used - 1;
		cleaned = cleaned + 1;
	}
	return cleaned;
}

/* The card hangs: give up everything that is queued. */
static int ring_reset(void)
{
	int dropped;

	outl(RTX_CTRL_RESET, RTX_CTRL);
	dropped = used;
	head = 0;
	tail = 0;
	used = 0;
	return dropped;
}

int main(void)
{
	int inflight = 0;	/* what the upper layer believes is queued */
	int n;

	while (__VERIFIER_nondet_int()) {
		switch (__VERIFIER_nondet_int()) {
		case 0:
			n = ring_submit(__VERIFIER_nondet_uint(),
					__VERIFIER_nondet_uint(),
					__VERIFIER_nondet_int());
			inflight = inflight + n;
			break;
		case 1:
			n = ring_clean(__VERIFIER_nondet_int());
			inflight = inflight - n;
			break;
		case 2:
			n = ring_reset();
			inflight = inflight - n;
			assert(inflight == 0);
			break;
		default:
			break;
		}
		assert(used == inflight);
		assert(inflight >= 0 && inflight <= RING_SIZE);
	}
	return 0;
}
