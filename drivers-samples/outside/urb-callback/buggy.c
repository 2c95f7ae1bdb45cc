/*
 * balance - a laboratory balance on a serial bus with a host and devices.
 *
 * The balance has an interface with two endpoints: weights come in through
 * one, commands (tare, unit, filter) go out through the other.  For each the
 * driver has one request, a urb, that it hands to the host: usb_submit()
 * returns at once, or later, or with an error, and the host calls
 * urb->complete() when it is done with it - from within usb_submit() too, as
 * some hosts do for requests that they can answer themselves.
 *
 * The driver makes nothing but its two urbs, and its `port', the part of its
 * data that the host gets to see.  Interfaces, devices, buses,
 * alternate settings and endpoint descriptors belong to the host.  It may
 * hand over the same interface twice, two interfaces of one device, an
 * endpoint that is in use elsewhere, tables of methods with holes, counts
 * that are negative, and urbs that are not ours.  It may change any of that
 * whenever it is called.  So what must survive a call is kept in static
 * variables that nobody outside has the address of, or looked up again.
 *
 * Properties:
 *   - a urb is submitted only while it is idle, and completed only while it
 *     is under way: nothing is submitted or completed twice;
 *   - nothing is under way behind a stop;
 *   - descriptors are looked for within the count that the setting states;
 *   - the pipes that are set up lead in the directions that they are for,
 *     whatever the driver has written to the host's memory before;
 *   - the state of an interface that is being bound is the driver's own
 *     until it is bound, or given back;
 *   - the lock of the device is released only when it is held;
 *   - samples are stored within the buffer of the port.
 */
#include <assert.h>
#include <stddef.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

#define EIO		5
#define ENOMEM		12
#define EBUSY		16
#define ENODEV		19
#define EINVAL		22
#define MAX_ERRNO	4095

#define DIR_IN		0x80	/* bit of an address: to the host */
#define EP_BULK		2
#define EP_INTERRUPT	3

#define PACKET_SIZE	64
#define PORT_SAMPLES	16
#define SAMPLES_MAX	8	/* in a packet */

#define VENDOR_BALANCE	0x4c42
#define REQ_START	3
#define EVENT_STRAY	1

enum { INTF_FREE, INTF_BINDING, INTF_BOUND };
enum { FLOW_IDLE, FLOW_BUSY };

/* ---- what the host has ------------------------------------------------- */

struct usb_ep {
	unsigned int address;
	int type;
	unsigned short max_packet;
	unsigned short uses;
};

struct usb_alt {
	int number;
	int num_endpoints;
	struct usb_ep *endpoint;
};

struct usb_bus;

struct bus_ops {
	int (*reserve)(struct usb_bus *bus, int bytes);
	void (*release)(struct usb_bus *bus, int bytes);
	int (*frame)(void);
};

struct usb_bus {
	const struct bus_ops *ops;
	int number;
};

struct lock {
	unsigned long held;
};

struct usb_dev {
	struct lock lock;
	int vendor;
	int address;
	unsigned char configured;
	unsigned short claims;
	struct usb_bus *bus;
};

struct usb_intf {
	struct usb_dev *dev;
	struct usb_alt *cur;
	int state;
	int owner;
};

struct urb {
	int address;		/* of the device, on its bus */
	unsigned short pipe;
	int length;
	int actual;
	int status;
	unsigned char *buffer;
	void (*complete)(struct urb *urb);
	void *context;
};

struct usb_intf *next_interface(void);
struct urb *next_urb(void);
int usb_submit(struct urb *urb);
void usb_kill(struct urb *urb);
int usb_control(struct usb_dev *dev, int request, int value);
void log_event(int what);

static int is_bad(const void *p)
{
	unsigned long a = (unsigned long)p;

	return a == 0 || a >= (unsigned long)-MAX_ERRNO;
}

/* ---- what the driver has ----------------------------------------------- */

/* What the host gets to see, through urb->context. */
struct port {
	int used;
	int errors;
	short sample[PORT_SAMPLES];
};

/* One direction.  The host never gets the address of one of these. */
struct flow {
	struct urb *urb;
	int state;
	int restart;		/* submit it again when it completes */
};

static struct flow rx, tx;
static int bound;
static int opened;
static int last_frame;
static int strays;		/* completions that nobody has waited for */
static struct port *port;
static struct usb_intf *our_intf;

/* ---- urbs -------------------------------------------------------------- */

static void flow_take(struct flow *f)
{
	assert(f->state == FLOW_IDLE);
	f->state = FLOW_BUSY;
}

static void flow_done(struct flow *f)
{
	assert(f->state == FLOW_BUSY);
	f->state = FLOW_IDLE;
}

static int flow_submit(struct flow *f)
{
	int err;

	if (f->state != FLOW_IDLE)
		return -EBUSY;
	flow_take(f);
	err = usb_submit(f->urb);
	/*
	 * With an error the host has not taken it.  It may have called back
	 * nevertheless: then that has ended the matter.
	 */
	if (err)
		flow_done(f);
	return err;
}

static void flow_stop(struct flow *f)
{
	f->restart = 0;
	if (f->state != FLOW_BUSY)
		return;
	usb_kill(f->urb);
	/* A host that is gone itself calls back no more. */
	if (f->state == FLOW_BUSY)
		flow_done(f);
}

/* ---- samples ----------------------------------------------------------- */

static void port_put(struct port *p, int value)
{
	assert(p->used >= 0 && p->used < PORT_SAMPLES);
	p->sample[p->used] = (short)value;
	p->used++;
}

static void port_put_all(struct port *p, int n)
{
	int i;

	if (p->used < 0 || p->used > PORT_SAMPLES)
		p->used = 0;		/* somebody has been there */
	for (i = 0; i < n; i++) {
		if (p->used == PORT_SAMPLES) {
			p->errors++;
			return;
		}
		port_put(p, i);
	}
}

static void read_done(struct urb *urb)
{
	struct port *p;
	int n;

	if (urb != rx.urb || rx.state != FLOW_BUSY) {
		strays++;
		log_event(EVENT_STRAY);
		return;
	}
	flow_done(&rx);
	p = urb->context;
	if (is_bad(p))
		return;
	if (urb->status) {
		p->errors++;
	} else {
		n = urb->actual;
		if (n > SAMPLES_MAX)
			n = SAMPLES_MAX;
		port_put_all(p, n);
	}
	if (rx.restart && opened)
		flow_submit(&rx);
}

static void write_done(struct urb *urb)
{
	struct port *p;

	if (urb != tx.urb || tx.state != FLOW_BUSY) {
		strays++;
		log_event(EVENT_STRAY);
		return;
	}
	flow_done(&tx);
	p = urb->context;
	if (!is_bad(p) && urb->status)
		p->errors++;
}

/* ---- locks of devices -------------------------------------------------- */

static int dev_trylock(struct usb_dev *dev)
{
	if (dev->lock.held)
		return 0;
	dev->lock.held = 1;
	return 1;
}

static void dev_unlock(struct usb_dev *dev)
{
	assert(dev->lock.held == 1);
	dev->lock.held = 0;
}

/* ---- descriptors ------------------------------------------------------- */

static struct usb_ep *alt_endpoint(struct usb_alt *alt, int i)
{
	assert(i >= 0 && i < alt->num_endpoints);
	return &alt->endpoint[i];
}

static struct usb_ep *find_endpoint(struct usb_alt *alt, int in)
{
	int i;

	for (i = 0; i < alt->num_endpoints; i++) {
		struct usb_ep *ep = alt_endpoint(alt, i);

		if (ep->type != EP_INTERRUPT && ep->type != EP_BULK)
			continue;
		if (in && ep->address >= DIR_IN)
			return ep;
		if (!in && ep->address < DIR_IN)
			return ep;
	}
	return NULL;
}

/* ---- binding ----------------------------------------------------------- */

static int claim(struct usb_intf *intf)
{
	if (intf->state != INTF_FREE)
		return -EBUSY;
	intf->state = INTF_BINDING;
	intf->dev->claims++;
	return 0;
}

static void check_claimed(const struct usb_intf *intf)
{
	assert(intf->state == INTF_BINDING);
}

static void unclaim(struct usb_intf *intf)
{
	check_claimed(intf);
	intf->state = INTF_FREE;
	intf->dev->claims--;
}

static void claim_done(struct usb_intf *intf)
{
	check_claimed(intf);
	intf->state = INTF_BOUND;
	intf->owner = VENDOR_BALANCE;
}

static int make_urbs(void)
{
	/* What is not set here is up to the host. */
	rx.urb = malloc(sizeof(struct urb));
	if (!rx.urb)
		return -ENOMEM;
	tx.urb = malloc(sizeof(struct urb));
	if (!tx.urb)
		goto err_rx;
	port = malloc(sizeof(struct port));
	if (!port)
		goto err_tx;
	port->used = 0;
	rx.urb->length = PACKET_SIZE;
	rx.urb->complete = read_done;
	rx.urb->context = port;
	tx.urb->length = 0;
	tx.urb->complete = write_done;
	tx.urb->context = port;
	return 0;

err_tx:
	free(tx.urb);
	tx.urb = NULL;
err_rx:
	free(rx.urb);
	rx.urb = NULL;
	return -ENOMEM;
}

static void free_urbs(void)
{
	free(port);
	free(tx.urb);
	free(rx.urb);
	port = NULL;
	tx.urb = NULL;
	rx.urb = NULL;
}

static void set_up(struct usb_dev *dev, struct usb_ep *in, struct usb_ep *out)
{
	in->uses++;
	out->uses++;
	dev->configured = 1;
	assert(in->address >= DIR_IN && out->address < DIR_IN);
	rx.urb->pipe = in->address - DIR_IN;
	tx.urb->pipe = out->address;
}

static int reserve(struct usb_bus *bus, int bytes)
{
	if (is_bad(bus) || is_bad(bus->ops) || !bus->ops->reserve)
		return 0;
	return bus->ops->reserve(bus, bytes);
}

static void release(const struct usb_intf *intf, int bytes)
{
	struct usb_bus *bus;

	if (is_bad(intf->dev))
		return;
	bus = intf->dev->bus;
	if (is_bad(bus) || is_bad(bus->ops) || !bus->ops->release)
		return;
	bus->ops->release(bus, bytes);
}

static int balance_probe(struct usb_intf *intf)
{
	struct usb_dev *dev = intf->dev;
	struct usb_alt *alt = intf->cur;
	struct usb_ep *in, *out;
	int err;

	if (bound)
		return -EBUSY;
	if (is_bad(dev) || is_bad(alt) || is_bad(alt->endpoint))
		return -ENODEV;
	if (dev->vendor != VENDOR_BALANCE)
		return -ENODEV;
	err = reserve(dev->bus, PACKET_SIZE);
	if (err)
		return err;
	err = make_urbs();
	if (err)
		goto out_release;
	/* The bus has been called: look again. */
	if (is_bad(intf->dev) || is_bad(alt->endpoint)) {
		err = -ENODEV;
		goto out_free;
	}
	dev = intf->dev;
	rx.urb->address = dev->address;
	tx.urb->address = dev->address;
	if (!dev_trylock(dev)) {
		err = -EBUSY;
		goto out_free;
	}
	err = claim(intf);
	if (err)
		goto out_unlock;
	in = find_endpoint(alt, 1);
	out = find_endpoint(alt, 0);
	if (!in || !out) {
		err = -EINVAL;
		goto out_unclaim;
	}
	set_up(dev, in, out);
	claim_done(intf);
	dev_unlock(dev);
	our_intf = intf;
	bound = 1;
	return 0;

out_unclaim:
	unclaim(intf);
out_unlock:
	dev_unlock(dev);
out_free:
	free_urbs();
out_release:
	release(intf, PACKET_SIZE);
	return err;
}

static int balance_open(void)
{
	struct usb_dev *dev = our_intf->dev;

	if (opened)
		return -EBUSY;
	if (is_bad(dev) || usb_control(dev, REQ_START, 1) < 0)
		return -EIO;
	opened = 1;
	rx.restart = 1;
	return flow_submit(&rx);
}

/* The number of the frame that the bus is in: it is a millisecond's. */
static int bus_frame(const struct usb_intf *intf)
{
	const struct usb_dev *dev = intf->dev;
	const struct usb_bus *bus;

	if (is_bad(dev))
		return -ENODEV;
	bus = dev->bus;
	if (is_bad(bus) || is_bad(bus->ops) || !bus->ops->frame)
		return -ENODEV;
	return bus->ops->frame();
}

/* The balance takes a command a frame. */
static int balance_command(int c)
{
	struct urb *u = tx.urb;

	int now;

	if (tx.state != FLOW_IDLE)
		return -EBUSY;
	now = bus_frame(our_intf);
	if (now == last_frame)
		return -EBUSY;
	last_frame = now;
	u->length = c;
	return flow_submit(&tx);
}

static void balance_close(void)
{
	opened = 0;
	flow_stop(&rx);
	flow_stop(&tx);
	assert(rx.state == FLOW_IDLE && tx.state == FLOW_IDLE);
}

static void balance_disconnect(void)
{
	balance_close();
	bound = 0;
	release(our_intf, PACKET_SIZE);
	our_intf->state = INTF_FREE;
	our_intf = NULL;
	free_urbs();
}

int main(void)
{
	struct usb_intf spare;
	struct usb_intf *intf;
	struct urb *urb, junk;

	for (;;) {
		switch (__VERIFIER_nondet_int()) {
		case 0:
			intf = next_interface();
			if (!is_bad(intf))
				balance_probe(intf);
			break;
		case 1:
			balance_probe(&spare);
			break;
		case 2:
			if (bound)
				balance_open();
			break;
		case 3:
			if (bound)
				balance_command(__VERIFIER_nondet_int());
			break;
		case 4:
			if (bound)
				balance_close();
			break;
		case 5:
			urb = next_urb();
			if (!is_bad(urb))
				read_done(urb);
			break;
		case 6:
			/* One that nobody has ever filled in. */
			write_done(&junk);
			break;
		case 7:
			if (bound)
				balance_disconnect();
			break;
		default:
			return 0;
		}
	}
}
