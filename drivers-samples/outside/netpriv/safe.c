/*
 * otter - an Ethernet adapter with two rings of descriptors.
 *
 * The stack keeps a net_device for each adapter, with the driver's own data
 * behind it; netdev_priv() is the way from one to the other.  Frames to be
 * sent come in buffers of the stack.  A buffer that was accepted is the
 * driver's until the card has sent it and it goes back to the stack; one that
 * was refused is the stack's as before, to be offered again.  The receive
 * side works in turns: the interrupt asks for a poll, and the poll hands up
 * what has come and says when there is no more.
 *
 * Devices, rings, buffers, the PHY and its methods, all come from outside:
 * from functions that are defined elsewhere, from the heap and the stack as
 * they were, and from pointers in such memory.  Some are null, some are the
 * same under two names, and the counters of a ring may be off.  What a method
 * of the PHY or a destructor of a buffer does to the device while it runs is
 * not known; so none is called with the lock, and what was tested before it
 * is tested again behind it.
 *
 * Properties: the lock is given back by whoever has taken it, and the stack
 * is not called with it; only places that a ring has are used, and only while
 * the adapter is up; a ring never counts more than it holds nor less than
 * none; a buffer goes back once, and one that is refused is still the stack's;
 * a poll ends only if it was asked for.
 */
#include <assert.h>
#include <stddef.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

#define ENOMEM		12
#define EBUSY		16
#define ENODEV		19
#define EINVAL		22

#define MAX_ERRNO	4095
#define IS_ERR(p)	((unsigned long)(p) >= (unsigned long)-MAX_ERRNO)
#define IS_ERR_OR_NULL(p) (!(p) || IS_ERR(p))

#define TX_RING		16u
#define RX_RING		16u
#define RX_BUF		1536u
#define MIN_FRAME	14u
#define MIN_MTU		68

#define DESC_OWN	0x80000000u	/* the card's */
#define DESC_ERR	0x00008000u
#define DESC_LEN	0x00000fffu

#define CMD_STOP	0x0u
#define CMD_RUN		0x1u
#define CMD_KICK	0x4u
#define IRQ_TX		0x1u
#define IRQ_RX		0x2u
#define IRQ_LINK	0x4u
#define IRQ_FATAL	0x8u
#define IRQ_ALL		0xfu
#define NOBODY		0xffffffffu	/* an adapter that was pulled */

#define IRQ_NONE	0
#define IRQ_HANDLED	1
#define TX_OK		0
#define TX_BUSY		1

/* ---- what others have made ---------------------------------------------- */

struct spinlock {
	int locked;
};

struct net_device;

enum skb_owner { SKB_STACK, SKB_DRIVER, SKB_DONE };

struct sk_buff {
	struct sk_buff *next;
	unsigned char *data;
	unsigned int len;
	enum skb_owner owner;
	int dropped;
	void (*destructor)(struct sk_buff *skb);
};

struct otter_desc {
	unsigned int status;
	unsigned int length;
	unsigned long address;
};

struct otter_regs {
	volatile unsigned int command;
	volatile unsigned int cause;
	volatile unsigned int mask;
	volatile unsigned int kick;
};

struct bus_device {
	struct otter_regs *regs;
	unsigned long dma_mask;
	int irq;
};

struct phy;

struct phy_ops {
	int (*read_status)(struct phy *phy);
	int (*set_speed)(struct phy *phy, int speed);
};

struct phy {
	const struct phy_ops *ops;
	int speed;
	int link;
};

struct net_device_ops {
	int (*ndo_open)(struct net_device *dev);
	int (*ndo_stop)(struct net_device *dev);
	int (*ndo_start_xmit)(struct sk_buff *skb, struct net_device *dev);
	int (*ndo_change_mtu)(struct net_device *dev, int mtu);
};

struct net_device {
	const struct net_device_ops *ops;
	struct bus_device *parent;
	int stopped;			/* the queue of the stack */
	int carrier;
	int mtu;
	unsigned long tx_packets, tx_dropped;
	unsigned long rx_packets, rx_dropped;
};

enum otter_state { OTTER_DOWN, OTTER_UP };

/* Behind the net_device. */
struct otter {
	struct spinlock lock;
	enum otter_state state;
	struct otter_desc *tx_ring;
	struct sk_buff *tx_skb[TX_RING];
	unsigned int tx_head, tx_tail, tx_used;
	struct otter_desc *rx_ring;
	struct sk_buff *rx_skb[RX_RING];
	unsigned int rx_next;
	int polling;
	struct phy *phy;
	unsigned int fatal;
};

#define PRIV_OFFSET	((sizeof(struct net_device) + 31) & ~31ul)

static struct otter *netdev_priv(struct net_device *dev)
{
	return (struct otter *)((char *)dev + PRIV_OFFSET);
}

/* These know more of what they are given than we do. */
extern void cpu_relax(struct spinlock *l);
extern void netif_receive_skb(struct sk_buff *skb);
extern struct sk_buff *alloc_skb(unsigned int size);

/* ---- locks and queues --------------------------------------------------- */

static struct spinlock *lock_held;	/* by this processor */

static void may_call_out(void)
{
	assert(lock_held == NULL);
}

static int spin_trylock(struct spinlock *l)
{
	if (l->locked)
		return 0;
	l->locked = 1;
	lock_held = l;
	return 1;
}

static void spin_lock(struct spinlock *l)
{
	assert(lock_held == NULL);
	while (l->locked)
		cpu_relax(l);
	l->locked = 1;
	lock_held = l;
}

static void spin_unlock(struct spinlock *l)
{
	assert(lock_held == l);
	assert(l->locked);
	l->locked = 0;
	lock_held = NULL;
}

static void netif_stop_queue(struct net_device *dev)
{
	dev->stopped = 1;
}

static void netif_wake_queue(struct net_device *dev)
{
	dev->stopped = 0;
}

/* ---- turns of receiving ------------------------------------------------- */

static void poll_schedule(struct otter *o)
{
	o->polling = 1;
}

static void poll_complete(struct otter *o)
{
	assert(o->polling);
	o->polling = 0;
}

/* ---- buffers ------------------------------------------------------------ */

static int skb_take(struct sk_buff *skb)
{
	if (skb->owner != SKB_STACK)
		return 0;
	skb->owner = SKB_DRIVER;
	return 1;
}

/* The end of a buffer that the driver had. */
static void skb_done(struct sk_buff *skb, int dropped)
{
	assert(skb->owner == SKB_DRIVER);
	skb->owner = SKB_DONE;
	skb->dropped = dropped;
}

/* Gives a chain of them back.  Destructors are not ours. */
static void skbs_free(struct sk_buff *skb)
{
	struct sk_buff *next;

	while (skb) {
		next = skb->next;
		may_call_out();
		if (skb->destructor)
			skb->destructor(skb);
		skb = next;
	}
}

/* ---- the transmit ring -------------------------------------------------- */

static unsigned int tx_next(unsigned int i)
{
	unsigned int next = i + 1;

	if (next >= TX_RING)
		next = 0;
	return next;
}

static int tx_sane(struct otter *o)
{
	return o->tx_head < TX_RING && o->tx_tail < TX_RING &&
	       o->tx_used <= TX_RING;
}

static void tx_put(struct otter *o, struct sk_buff *skb, unsigned long address)
{
	unsigned int i = o->tx_head;

	assert(o->state == OTTER_UP);
	assert(i < TX_RING);
	assert(o->tx_used < TX_RING);
	o->tx_skb[i] = skb;
	o->tx_ring[i].address = address;
	o->tx_ring[i].length = skb->len;
	o->tx_ring[i].status = DESC_OWN;
	o->tx_head = tx_next(i);
	o->tx_used++;
}

/* What the card has sent, as a chain.  With the lock. */
static struct sk_buff *tx_reclaim(struct net_device *dev, struct otter *o)
{
	struct sk_buff *done = NULL, *skb;
	unsigned int i, status;

	if (!o->tx_ring || !tx_sane(o))
		return NULL;
	while (o->tx_used > 0) {
		i = o->tx_tail;
		assert(i < TX_RING);
		status = o->tx_ring[i].status;
		if (status & DESC_OWN)
			break;
		skb = o->tx_skb[i];
		o->tx_skb[i] = NULL;
		o->tx_tail = tx_next(i);
		o->tx_used--;
		if (!skb || skb->owner != SKB_DRIVER)
			continue;
		skb_done(skb, (status & DESC_ERR) != 0);
		skb->next = done;
		done = skb;
		dev->tx_packets++;
	}
	return done;
}

/* ---- the receive ring --------------------------------------------------- */

static unsigned int rx_after(unsigned int i)
{
	unsigned int next = i + 1;

	if (next >= RX_RING)
		next = 0;
	return next;
}

static void rx_refill(struct otter *o, unsigned int i, struct sk_buff *skb)
{
	assert(o->state == OTTER_UP);
	assert(i < RX_RING);
	o->rx_skb[i] = skb;
	o->rx_ring[i].address = (unsigned long)skb->data;
	o->rx_ring[i].status = DESC_OWN;
}

/*
 * One frame that has come, or null.  Its place gets a new buffer; without one
 * the frame is dropped, and its buffer goes back to the card.
 */
static struct sk_buff *rx_one(struct net_device *dev, struct otter *o)
{
	struct sk_buff *skb, *fresh;
	unsigned int i = o->rx_next;
	unsigned int status, len;

	status = o->rx_ring[i].status;
	if (status & DESC_OWN)
		return NULL;
	len = o->rx_ring[i].length;
	skb = o->rx_skb[i];
	fresh = alloc_skb(RX_BUF);
	o->rx_next = rx_after(i);
	if (IS_ERR_OR_NULL(skb)) {
		dev->rx_dropped++;
		if (!IS_ERR_OR_NULL(fresh))
			rx_refill(o, i, fresh);
		return NULL;
	}
	if (IS_ERR_OR_NULL(fresh) || fresh == skb || len > RX_BUF) {
		dev->rx_dropped++;
		rx_refill(o, i, skb);
		return NULL;
	}
	rx_refill(o, i, fresh);
	skb->len = len;
	dev->rx_packets++;
	return skb;
}

/* ---- entry points ------------------------------------------------------- */

static struct otter_regs *regs_of(struct net_device *dev)
{
	struct bus_device *b = dev->parent;

	if (IS_ERR_OR_NULL(b))
		return NULL;
	return b->regs;
}

/* Where the card finds the data, or 0. */
static unsigned long map_single(struct bus_device *b, unsigned char *data)
{
	unsigned long address = (unsigned long)data;

	return address > b->dma_mask ? 0 : address;
}

static int otter_xmit(struct sk_buff *skb, struct net_device *dev)
{
	struct otter *o = netdev_priv(dev);
	struct otter_regs *regs = regs_of(dev);
	unsigned long address;
	int ret = TX_OK;

	if (!regs)
		return TX_BUSY;
	if (!spin_trylock(&o->lock))
		return TX_BUSY;
	if (o->state != OTTER_UP || !o->tx_ring || !tx_sane(o) ||
	    o->tx_used == TX_RING) {
		netif_stop_queue(dev);
		ret = TX_BUSY;
		goto out;
	}
	if (!skb_take(skb)) {
		ret = -EINVAL;
		goto out;
	}
	address = map_single(dev->parent, skb->data);
	if (!address || skb->len < MIN_FRAME) {
		skb_done(skb, 1);
		dev->tx_dropped++;
		goto out;
	}
	tx_put(o, skb, address);
	regs->kick = CMD_KICK;
	if (o->tx_used == TX_RING)
		netif_stop_queue(dev);
out:
	spin_unlock(&o->lock);
	return ret;
}

/* Asks the PHY, whose methods sleep. */
static int otter_link(struct net_device *dev, struct otter *o)
{
	struct phy *phy = o->phy;
	int link;

	if (IS_ERR_OR_NULL(phy))
		return -ENODEV;
	may_call_out();
	if (phy->ops && phy->ops->read_status) {
		link = phy->ops->read_status(phy);
		if (link < 0)
			return link;
	} else {
		link = phy->link;
	}
	dev->carrier = link > 0;
	return 0;
}

static int otter_interrupt(int irq, void *cookie)
{
	struct net_device *dev = cookie;
	struct sk_buff *done = NULL;
	struct otter_regs *regs;
	struct otter *o;
	unsigned int cause;

	if (IS_ERR_OR_NULL(dev))
		return IRQ_NONE;
	regs = regs_of(dev);
	if (!regs || dev->parent->irq != irq)
		return IRQ_NONE;
	cause = regs->cause;
	if (cause == 0 || cause == NOBODY)
		return IRQ_NONE;
	o = netdev_priv(dev);
	spin_lock(&o->lock);
	if (o->state == OTTER_UP) {
		if (cause & IRQ_TX) {
			done = tx_reclaim(dev, o);
			if (o->tx_used < TX_RING && dev->stopped)
				netif_wake_queue(dev);
		}
		if (cause & IRQ_RX) {
			regs->mask = IRQ_ALL & ~IRQ_RX;
			poll_schedule(o);
		}
		if (cause & IRQ_FATAL)
			o->fatal++;
	}
	spin_unlock(&o->lock);
	skbs_free(done);
	if (cause & IRQ_LINK)
		otter_link(dev, o);
	return IRQ_HANDLED;
}

/* The stack's turn for receiving.  Returns how many frames it was given. */
static int otter_poll(struct net_device *dev, int budget)
{
	struct otter *o = netdev_priv(dev);
	struct otter_regs *regs = regs_of(dev);
	struct sk_buff *skb;
	int work = 0;

	if (!regs)
		return 0;
	while (work < budget) {
		if (!spin_trylock(&o->lock))
			return work;
		if (o->state != OTTER_UP || !o->polling) {
			spin_unlock(&o->lock);
			return work;
		}
		if (!o->rx_ring || o->rx_next >= RX_RING) {
			o->rx_next = 0;
			poll_complete(o);
			spin_unlock(&o->lock);
			return work;
		}
		skb = rx_one(dev, o);
		if (!skb) {
			poll_complete(o);
			regs->mask = IRQ_ALL;
			spin_unlock(&o->lock);
			return work;
		}
		spin_unlock(&o->lock);
		/* The stack may do anything, even take us down. */
		may_call_out();
		netif_receive_skb(skb);
		work++;
	}
	return work;
}

static int otter_open(struct net_device *dev)
{
	struct otter *o = netdev_priv(dev);
	struct otter_regs *regs = regs_of(dev);
	int err = 0;

	if (!regs)
		return -ENODEV;
	err = otter_link(dev, o);
	if (err)
		return err;
	spin_lock(&o->lock);
	if (o->state == OTTER_UP) {
		err = -EBUSY;
		goto out;
	}
	if (!o->tx_ring || !o->rx_ring) {
		err = -ENOMEM;
		goto out;
	}
	o->tx_head = 0;
	o->tx_tail = 0;
	o->tx_used = 0;
	o->rx_next = 0;
	o->polling = 0;
	o->state = OTTER_UP;
	regs->mask = IRQ_ALL;
	regs->command = CMD_RUN;
	netif_wake_queue(dev);
out:
	spin_unlock(&o->lock);
	return err;
}

/* What is on its way comes back at once, as if it had been lost. */
static int otter_stop(struct net_device *dev)
{
	struct otter *o = netdev_priv(dev);
	struct otter_regs *regs = regs_of(dev);
	struct sk_buff *lost = NULL, *skb;
	unsigned int i;

	spin_lock(&o->lock);
	if (o->state == OTTER_UP) {
		if (regs) {
			regs->mask = 0;
			regs->command = CMD_STOP;
		}
		netif_stop_queue(dev);
		o->state = OTTER_DOWN;
		o->polling = 0;
		for (i = 0; i < TX_RING; i++) {
			skb = o->tx_skb[i];
			o->tx_skb[i] = NULL;
			if (IS_ERR_OR_NULL(skb) || skb->owner != SKB_DRIVER)
				continue;
			skb_done(skb, 1);
			skb->next = lost;
			lost = skb;
		}
		o->tx_used = 0;
	}
	spin_unlock(&o->lock);
	skbs_free(lost);
	return 0;
}

static int otter_change_mtu(struct net_device *dev, int mtu)
{
	if (mtu < MIN_MTU || mtu > (int)(RX_BUF - MIN_FRAME))
		return -EINVAL;
	dev->mtu = mtu;
	return 0;
}

static const struct net_device_ops otter_ops = {
	otter_open,
	otter_stop,
	otter_xmit,
	otter_change_mtu,
};

/* A device that somebody has found on the bus. */
static int otter_probe(struct bus_device *b, struct net_device *dev)
{
	struct otter *o = netdev_priv(dev);

	if (IS_ERR_OR_NULL(b) || !b->regs || b->regs->cause == NOBODY)
		return -ENODEV;
	if (!dev->ops)
		return -EINVAL;
	dev->parent = b;
	dev->mtu = 1500;
	dev->stopped = 1;
	o->state = OTTER_DOWN;
	o->lock.locked = 0;
	return 0;
}

/* ---- a world that others have made -------------------------------------- */

extern struct net_device *next_dev(void);
extern struct bus_device *next_bus_device(void);
extern struct sk_buff *next_skb(void);
extern void *next_cookie(void);

/* The stack offers a buffer, and looks at what has become of it. */
static void transmit(struct net_device *dev, struct sk_buff *skb)
{
	int ret;

	if (IS_ERR_OR_NULL(skb) || skb->owner != SKB_STACK)
		return;
	ret = otter_ops.ndo_start_xmit(skb, dev);
	if (ret == TX_BUSY)
		assert(skb->owner == SKB_STACK);
	else
		assert(skb->owner != SKB_STACK);
}

/* Another driver below ours, as a bond has them. */
static void control_slave(struct net_device *dev)
{
	const struct net_device_ops *ops = dev->ops;

	if (IS_ERR_OR_NULL(ops))
		return;
	switch (__VERIFIER_nondet_int()) {
	case 0:
		if (ops->ndo_open)
			ops->ndo_open(dev);
		break;
	case 1:
		if (ops->ndo_change_mtu)
			ops->ndo_change_mtu(dev, __VERIFIER_nondet_int());
		break;
	default:
		if (ops->ndo_stop)
			ops->ndo_stop(dev);
		break;
	}
}

/* A buffer from the heap, as it was there. */
static void transmit_heap(struct net_device *dev)
{
	struct sk_buff *skb = malloc(sizeof(*skb));

	if (!skb)
		return;
	transmit(dev, skb);
	if (skb->owner == SKB_STACK)
		free(skb);
}

int main(void)
{
	struct sk_buff raw;		/* as the stack had it */
	struct net_device *dev;

	while (__VERIFIER_nondet_int()) {
		dev = next_dev();
		if (IS_ERR_OR_NULL(dev))
			continue;
		switch (__VERIFIER_nondet_int()) {
		case 0:
			transmit(dev, next_skb());
			break;
		case 1:
			transmit(dev, &raw);
			break;
		case 6:
			transmit_heap(dev);
			break;
		case 2:
			otter_poll(dev, __VERIFIER_nondet_int());
			break;
		case 3:
			control_slave(dev);
			break;
		case 4:
			otter_probe(next_bus_device(), dev);
			break;
		case 5:
			if (otter_ops.ndo_open(dev) == 0)
				otter_ops.ndo_change_mtu(dev, __VERIFIER_nondet_int());
			break;
		case 7:
			otter_ops.ndo_stop(dev);
			break;
		default:
			otter_interrupt(__VERIFIER_nondet_int(), next_cookie());
			break;
		}
		assert(lock_held == NULL);
	}
	return 0;
}
