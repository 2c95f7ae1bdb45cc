/*
 * duart - two serial ports on one card, with a lock for each.
 *
 * The card has a lock of its own for the registers that the ports share (the
 * baud rate generator and the modem lines).  Locks are passed by pointer:
 *
 *	card->lock	taken with interrupts on or off, never in the handler;
 *	port->lock	taken with interrupts off, since the handler takes it
 *			too; the card's lock may be held already, the lock
 *			of the other port must not be.
 *
 * Properties: no lock is taken twice or released when free; port locks are
 * held with interrupts off only; nothing sleeps under a lock or with
 * interrupts off; the two locks of the ports are never held together.
 */
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern unsigned char inb(unsigned long port);
extern void outb(unsigned char value, unsigned long port);

#define EAGAIN		11
#define EBUSY		16
#define EINVAL		22

#define REG_DATA	0u
#define REG_IER		1u
#define REG_IIR		2u
#define REG_LSR		5u
#define REG_BRG		16u		/* shared by the ports */
#define REG_MODEM	17u		/* likewise */

#define IER_RX		0x01
#define IER_TX		0x02
#define IIR_NONE	0x01
#define LSR_READY	0x01
#define LSR_ROOM	0x20

#define FIFO_SIZE	64
#define FIFO_LOW	16

struct spinlock {
	int held;
};

struct fifo {
	unsigned char *data;	/* FIFO_SIZE bytes */
	int head;
	int count;
};

struct port {
	struct spinlock lock;
	unsigned long base;
	struct fifo rx;
	struct fifo tx;
	int open;
	int throttled;
	unsigned int overruns;
};

struct card {
	struct spinlock lock;
	unsigned long base;
	int divisor;
	unsigned char modem;
	struct port a;
	struct port b;
};

static struct card duart;
static unsigned char buffers[4][FIFO_SIZE];
static int irqs_off;

/* ---- kernel services --------------------------------------------------- */

static void might_sleep(void)
{
	assert(!irqs_off);
	assert(!duart.lock.held);
	assert(!duart.a.lock.held);
	assert(!duart.b.lock.held);
}

static void spin_lock(struct spinlock *l)
{
	assert(!l->held);
	l->held = 1;
}

static void spin_unlock(struct spinlock *l)
{
	assert(l->held);
	l->held = 0;
}

static int irq_save(void)
{
	int flags = irqs_off;

	irqs_off = 1;
	return flags;
}

static void irq_restore(int flags)
{
	irqs_off = flags;
}

/* ---- the ports --------------------------------------------------------- */

static struct port *other_port(struct port *p)
{
	if (p == &duart.a)
		return &duart.b;
	return &duart.a;
}

static void port_lock(struct port *p)
{
	assert(irqs_off);
	assert(!other_port(p)->lock.held);
	spin_lock(&p->lock);
}

static void port_unlock(struct port *p)
{
	assert(irqs_off);
	spin_unlock(&p->lock);
}

static void fifo_reset(struct fifo *f)
{
	f->head = 0;
	f->count = 0;
}

static int fifo_put(struct fifo *f, unsigned char c)
{
	int at;

	if (f->count >= FIFO_SIZE)
		return -EAGAIN;
	at = (f->head + f->count) % FIFO_SIZE;
	f->data[at] = c;
	f->count++;
	return 0;
}

static int fifo_get(struct fifo *f)
{
	int c;

	if (f->count <= 0)
		return -EAGAIN;
	c = f->data[f->head];
	f->head = (f->head + 1) % FIFO_SIZE;
	f->count--;
	return c;
}

static int port_open(struct port *p)
{
	int flags;
	int err = 0;

	might_sleep();
	flags = irq_save();
	port_lock(p);
	if (p->open) {
		err = -EBUSY;
		goto out;
	}
	p->open = 1;
	p->throttled = 0;
	fifo_reset(&p->rx);
	fifo_reset(&p->tx);
	outb(IER_RX, p->base + REG_IER);
out:
	port_unlock(p);
	irq_restore(flags);
	return err;
}

static void port_close(struct port *p)
{
	int flags;

	might_sleep();
	flags = irq_save();
	port_lock(p);
	if (p->open) {
		p->open = 0;
		outb(0, p->base + REG_IER);
	}
	port_unlock(p);
	irq_restore(flags);
}

/* Queue one character; the handler sends it. */
static int port_write(struct port *p, unsigned char c)
{
	int flags;
	int err;

	flags = irq_save();
	port_lock(p);
	if (!p->open) {
		port_unlock(p);
		irq_restore(flags);
		return -EINVAL;
	}
	err = fifo_put(&p->tx, c);
	if (!err)
		outb(IER_RX | IER_TX, p->base + REG_IER);
	port_unlock(p);
	irq_restore(flags);
	return err;
}

/* One character, or -EAGAIN; sleeps until there may be more. */
static int port_read(struct port *p)
{
	int flags;
	int c;

	flags = irq_save();
	port_lock(p);
	c = fifo_get(&p->rx);
	if (c >= 0 && p->throttled && p->rx.count < FIFO_LOW) {
		p->throttled = 0;
		outb(IER_RX, p->base + REG_IER);
	}
	port_unlock(p);
	irq_restore(flags);
	if (c < 0)
		might_sleep();
	return c;
}

/* Both ports run at the rate of the one generator: they must agree. */
static int port_set_baud(struct port *p, int divisor)
{
	struct port *o = other_port(p);
	int flags;
	int busy;

	if (divisor <= 0)
		return -EINVAL;
	spin_lock(&duart.lock);
	flags = irq_save();
	port_lock(o);
	busy = o->open;
	port_unlock(o);
	if (busy && divisor != duart.divisor) {
		irq_restore(flags);
		spin_unlock(&duart.lock);
		return -EBUSY;
	}
	duart.divisor = divisor;
	outb((unsigned char)divisor, duart.base + REG_BRG);

	port_lock(p);
	fifo_reset(&p->rx);		/* what came at the old rate */
	port_unlock(p);
	irq_restore(flags);
	spin_unlock(&duart.lock);
	might_sleep();
	return 0;
}

static void card_set_modem(unsigned char set, unsigned char clear)
{
	spin_lock(&duart.lock);
	duart.modem = (unsigned char)((duart.modem | set) & ~clear);
	outb(duart.modem, duart.base + REG_MODEM);
	spin_unlock(&duart.lock);
}

/* ---- the interrupt handler --------------------------------------------- */

static void port_receive(struct port *p)
{
	while (inb(p->base + REG_LSR) & LSR_READY) {
		if (fifo_put(&p->rx, inb(p->base + REG_DATA))) {
			p->overruns++;
			p->throttled = 1;
			outb(0, p->base + REG_IER);
			return;
		}
	}
}

static void port_transmit(struct port *p)
{
	int c;

	while (inb(p->base + REG_LSR) & LSR_ROOM) {
		c = fifo_get(&p->tx);
		if (c < 0) {
			outb(IER_RX, p->base + REG_IER);
			return;
		}
		outb((unsigned char)c, p->base + REG_DATA);
	}
}

static void port_interrupt(struct port *p)
{
	port_lock(p);
	if (p->open && !(inb(p->base + REG_IIR) & IIR_NONE)) {
		port_receive(p);
		port_transmit(p);
	}
	port_unlock(p);
}

static void duart_interrupt(void)
{
	int flags;

	flags = irq_save();		/* the processor does it */
	port_interrupt(&duart.a);
	port_interrupt(&duart.b);
	irq_restore(flags);
}

/* ---- a nondeterministic world ------------------------------------------ */

int main(void)
{
	struct port *p;

	duart.base = 0x2e0u;
	duart.a.base = 0x2f8u;
	duart.b.base = 0x3f8u;
	duart.a.rx.data = buffers[0];
	duart.a.tx.data = buffers[1];
	duart.b.rx.data = buffers[2];
	duart.b.tx.data = buffers[3];
	while (__VERIFIER_nondet_int()) {
		p = &duart.a;
		if (__VERIFIER_nondet_int())
			p = &duart.b;
		switch (__VERIFIER_nondet_int()) {
		case 0:
			port_open(p);
			break;
		case 1:
			port_close(p);
			break;
		case 2:
			port_write(p, __VERIFIER_nondet_uchar());
			break;
		case 3:
			port_read(p);
			break;
		case 4:
			port_set_baud(p, __VERIFIER_nondet_int());
			break;
		case 5:
			card_set_modem(__VERIFIER_nondet_uchar(),
				       __VERIFIER_nondet_uchar());
			break;
		default:
			duart_interrupt();
			break;
		}
		might_sleep();
	}
	return 0;
}
