/*
 * ftx - driver of USB to serial adapters.
 *
 * The adapter has one port with three endpoints, and the driver has one urb
 * (a USB request block) for each:
 *
 *	read_urb	bulk in: packets of data, each with a modem and a line
 *			status byte in front
 *	write_urb	bulk out: what the tty layer wants to be sent
 *	intr_urb	interrupt in: changes of the modem lines
 *
 * A urb belongs to the host controller from usb_submit_urb() until its
 * completion callback is called; its status is -EINPROGRESS during that time.
 * The callback may submit it again.
 *
 * Several things stop and restart the flow of urbs: open and close, suspend
 * and resume, throttling by the tty layer, disconnection, and errors.  The
 * driver keeps book:
 *
 *	opened		between open and close
 *	suspended	between suspend and resume
 *	gone		the adapter has been unplugged
 *	throttled	the tty layer cannot take more
 *	rx_held		read_urb was not submitted again, for it is throttled
 *	rx_dead		read_urb was not submitted again, for there was an error
 *	tx_busy		write_urb is under way
 *
 * Properties:
 *  - a urb is not submitted while it is under way, nor is its buffer touched;
 *  - nothing is submitted to an adapter that is closed, suspended or gone,
 *    and nothing is under way when close, suspend or disconnect return;
 *  - control requests are sent only while the adapter can take them;
 *  - the port's lock is taken and released in turn, and not held across
 *    anything that sleeps;
 *  - indices into buffers are in bounds.
 */
#include <assert.h>
#include <stddef.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

#define EIO		5
#define ENOENT		2
#define EAGAIN		11
#define ENOMEM		12
#define EBUSY		16
#define ENODEV		19
#define EINVAL		22
#define EPIPE		32
#define ENOTTY		25
#define EPROTO		71
#define EOVERFLOW	75
#define ECONNRESET	104
#define ESHUTDOWN	108
#define ETIMEDOUT	110
#define EINPROGRESS	115

#define BULK_SIZE	64
#define INTR_SIZE	8
#define FIFO_SIZE	256
#define STATUS_BYTES	2	/* in front of each packet */
#define CTRL_RETRIES	3
#define MAX_STALLS	4

/* Vendor requests */
#define FTX_RESET		0u
#define FTX_SET_MODEM		1u
#define FTX_SET_FLOW		2u
#define FTX_SET_BAUD		3u
#define FTX_SET_DATA		4u
#define FTX_GET_MODEM		5u
#define FTX_SET_EVENT		6u
#define FTX_SET_LATENCY		9u
#define FTX_GET_VERSION		16u
#define FTX_CLEAR_HALT		17u

#define RESET_SIO		0u
#define RESET_PURGE_RX		1u
#define RESET_PURGE_TX		2u

#define LATENCY_MIN		1
#define LATENCY_MAX		255
#define LATENCY_DEFAULT		16

/* Modem and line status */
#define MS_CTS			0x10
#define MS_DSR			0x20
#define MS_RI			0x40
#define MS_CD			0x80
#define LS_OVERRUN		0x02
#define LS_PARITY		0x04
#define LS_FRAME		0x08
#define LS_BREAK		0x10
#define LS_EMPTY		0x40

#define MC_DTR			0x01u
#define MC_RTS			0x02u

/* The tty layer's view */
#define TIOCM_DTR		0x002u
#define TIOCM_RTS		0x004u
#define TIOCM_CTS		0x020u
#define TIOCM_CAR		0x040u
#define TIOCM_RNG		0x080u
#define TIOCM_DSR		0x100u

#define CSIZE_5			0
#define CSIZE_6			1
#define CSIZE_7			2
#define CSIZE_8			3

enum tty_flag {
	TTY_NORMAL,
	TTY_BREAK,
	TTY_FRAME,
	TTY_PARITY,
	TTY_OVERRUN
};

enum ftx_ioctl {
	FTX_IOC_MGET = 1,
	FTX_IOC_MSET,
	FTX_IOC_BREAK_ON,
	FTX_IOC_BREAK_OFF,
	FTX_IOC_LATENCY_GET,
	FTX_IOC_LATENCY_SET,
	FTX_IOC_FLUSH_RX,
	FTX_IOC_FLUSH_TX,
	FTX_IOC_ICOUNT
};

struct urb {
	int status;		/* -EINPROGRESS: the host controller has it */
	int actual_length;
	int length;
	void *context;
	void (*complete)(struct urb *urb);
	unsigned char *buffer;
	unsigned int submitted;
};

struct termios {
	int baud;
	int size;
	int two_stop_bits;
	int parity;		/* 0 none, 1 odd, 2 even */
	int rtscts;
	int xonxoff;
	unsigned char start_char;
	unsigned char stop_char;
};

struct async_icount {
	unsigned int rx;
	unsigned int tx;
	unsigned int frame;
	unsigned int parity;
	unsigned int overrun;
	unsigned int brk;
	unsigned int cts;
	unsigned int dsr;
	unsigned int rng;
	unsigned int dcd;
};

/* What the tty layer waits for data with. */
struct tty_port {
	unsigned int buffered;
	unsigned int limit;
	int hung_up;
};

struct fifo {
	unsigned char *data;	/* FIFO_SIZE bytes */
	int head;
	int count;
};

struct ftx_port;

/* The generations of the chip differ in how they count. */
struct ftx_chip {
	int version;
	int max_baud;
	int (*divisor)(struct ftx_port *p, int baud);
	int has_latency;
};

struct spinlock {
	int held;
};

struct ftx_port {
	const struct ftx_chip *chip;
	struct spinlock lock;

	struct urb read_urb;
	struct urb write_urb;
	struct urb intr_urb;

	int opened;
	int suspended;
	int gone;
	int throttled;
	int rx_held;
	int rx_dead;
	int tx_busy;

	struct fifo fifo;
	struct termios termios;
	struct tty_port *tty;
	unsigned int mcr;	/* modem control: what we set */
	unsigned char msr;	/* modem status: what the other side sets */
	int latency;
	int stalls;
	int force_baud;
	struct async_icount icount;
};

static void ftx_read_done(struct urb *urb);
static void ftx_write_done(struct urb *urb);
static void ftx_intr_done(struct urb *urb);

static struct ftx_port ftx;
static struct tty_port ftx_tty;

static unsigned char read_buffer[BULK_SIZE];
static unsigned char write_buffer[BULK_SIZE];
static unsigned char intr_buffer[INTR_SIZE];
static unsigned char fifo_buffer[FIFO_SIZE];

/* ---- kernel services --------------------------------------------------- */

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

static void might_sleep(void)
{
	assert(!ftx.lock.held);
}

/* ---- the USB core ------------------------------------------------------ */

static void usb_fill_urb(struct urb *urb, unsigned char *buffer, int length,
			 void (*complete)(struct urb *urb), void *context)
{
	assert(urb->status != -EINPROGRESS);
	urb->buffer = buffer;
	urb->length = length;
	urb->actual_length = 0;
	urb->complete = complete;
	urb->context = context;
}

static int usb_submit_urb(struct urb *urb)
{
	assert(urb->status != -EINPROGRESS);
	assert(ftx.opened);
	assert(!ftx.suspended);
	assert(!ftx.gone);
	if (__VERIFIER_nondet_int())
		return -ENOMEM;
	urb->submitted++;
	urb->status = -EINPROGRESS;
	return 0;
}

/* The host controller gives a urb back. */
static void usb_giveback_urb(struct urb *urb, int status)
{
	int length;

	assert(urb->status == -EINPROGRESS);
	assert(status != -EINPROGRESS);
	length = __VERIFIER_nondet_int();
	if (length < 0 || length > urb->length)
		length = 0;
	urb->actual_length = length;
	urb->status = status;
	urb->complete(urb);
}

/*
 * Cancel a urb and wait until it is back.  The callback sees -ENOENT, and
 * must not submit it again.
 */
static void usb_kill_urb(struct urb *urb)
{
	might_sleep();
	if (urb->status == -EINPROGRESS)
		usb_giveback_urb(urb, -ENOENT);
	assert(urb->status != -EINPROGRESS);
}

/* A request on the control pipe, which is worked off here and now. */
static int usb_control_msg(unsigned int request, unsigned int value,
			   unsigned int index)
{
	int result;

	assert(!ftx.suspended);
	assert(!ftx.gone);
	might_sleep();
	(void)request;
	(void)value;
	(void)index;
	result = __VERIFIER_nondet_int();
	if (result > 0)
		result = 0;		/* so many bytes were transferred */
	return result;
}

/* ---- control requests -------------------------------------------------- */

static int ftx_control(struct ftx_port *p, unsigned int request,
		       unsigned int value, unsigned int index)
{
	int tries, err;

	if (p->gone)
		return -ENODEV;
	if (p->suspended)
		return -EAGAIN;
	err = -EIO;
	for (tries = 0; tries < CTRL_RETRIES; tries++) {
		err = usb_control_msg(request, value, index);
		if (err != -EPROTO && err != -ETIMEDOUT)
			break;
	}
	return err;
}

static int ftx_reset(struct ftx_port *p)
{
	return ftx_control(p, FTX_RESET, RESET_SIO, 0);
}

static int ftx_purge(struct ftx_port *p, unsigned int what)
{
	return ftx_control(p, FTX_RESET, what, 0);
}

/* Set and clear modem lines; only the high byte says which are meant. */
static int ftx_update_modem(struct ftx_port *p, unsigned int set,
			    unsigned int clear)
{
	unsigned int value = 0;
	int err;

	if ((set | clear) == 0)
		return 0;
	clear = clear & ~set;
	if (set & TIOCM_DTR)
		value |= MC_DTR | 0x100u;
	if (set & TIOCM_RTS)
		value |= MC_RTS | 0x200u;
	if (clear & TIOCM_DTR)
		value |= 0x100u;
	if (clear & TIOCM_RTS)
		value |= 0x200u;
	err = ftx_control(p, FTX_SET_MODEM, value, 0);
	if (err)
		return err;
	p->mcr = (p->mcr & ~clear) | set;
	return 0;
}

static int ftx_get_modem(struct ftx_port *p, unsigned int *result)
{
	unsigned int r = 0;
	int err;

	err = ftx_control(p, FTX_GET_MODEM, 0, 0);
	if (err)
		return err;
	if (p->msr & MS_CTS)
		r |= TIOCM_CTS;
	if (p->msr & MS_DSR)
		r |= TIOCM_DSR;
	if (p->msr & MS_RI)
		r |= TIOCM_RNG;
	if (p->msr & MS_CD)
		r |= TIOCM_CAR;
	*result = r | p->mcr;
	return 0;
}

static int ftx_set_latency(struct ftx_port *p, int latency)
{
	int err;

	if (!p->chip->has_latency)
		return -ENOTTY;
	if (latency < LATENCY_MIN || latency > LATENCY_MAX)
		return -EINVAL;
	err = ftx_control(p, FTX_SET_LATENCY, (unsigned int)latency, 0);
	if (err)
		return err;
	p->latency = latency;
	return 0;
}

/* ---- rates ------------------------------------------------------------- */

/* The oldest chip knows a handful of rates by number. */
static int ftx1_divisor(struct ftx_port *p, int baud)
{
	static const int rates[] = {
		300, 600, 1200, 2400, 4800, 9600, 19200, 38400, 57600, 115200
	};
	int i;

	for (i = 0; i < 10; i++) {
		assert(i >= 0 && i < (int)(sizeof(rates) / sizeof(rates[0])));
		if (rates[i] == baud)
			return i;
	}
	p->force_baud = 9600;
	return 5;
}

/* A divisor of 3 MHz in eighths, whose fraction is coded in two bits. */
static int ftx2_divisor(struct ftx_port *p, int baud)
{
	int divisor3, divisor;

	if (baud < 300) {
		p->force_baud = 300;
		baud = 300;
	}
	divisor3 = 24000000 / baud;
	divisor = divisor3 / 8;
	switch (divisor3 % 8) {
	case 0:
		break;
	case 1:
		divisor = divisor + 0xc000;
		break;
	case 2:
	case 3:
		divisor = divisor + 0x8000;
		break;
	default:
		divisor = divisor + 0x4000;
		break;
	}
	if (divisor == 1)
		divisor = 0;		/* 3 Mbaud */
	else if (divisor == 0x4001)
		divisor = 1;		/* 2 Mbaud */
	return divisor;
}

/* A divisor of 12 MHz, with a flag that says so. */
static int ftx4_divisor(struct ftx_port *p, int baud)
{
	if (baud < 1200)
		return ftx2_divisor(p, baud);
	return 120000000 / (baud * 10) + 0x20000;
}

static const struct ftx_chip chip_v1 = {
	.version = 1,
	.max_baud = 115200,
	.divisor = ftx1_divisor,
	.has_latency = 0,
};

static const struct ftx_chip chip_v2 = {
	.version = 2,
	.max_baud = 3000000,
	.divisor = ftx2_divisor,
	.has_latency = 1,
};

static const struct ftx_chip chip_v4 = {
	.version = 4,
	.max_baud = 12000000,
	.divisor = ftx4_divisor,
	.has_latency = 1,
};

static int ftx_set_baud(struct ftx_port *p, int baud)
{
	int divisor;

	if (baud <= 0)
		return -EINVAL;
	if (baud > p->chip->max_baud)
		baud = p->chip->max_baud;
	p->force_baud = baud;
	divisor = p->chip->divisor(p, baud);
	return ftx_control(p, FTX_SET_BAUD,
			   (unsigned int)divisor % 65536u,
			   (unsigned int)divisor / 65536u);
}

/* ---- line settings ----------------------------------------------------- */

static unsigned int ftx_data_bits(const struct termios *t)
{
	unsigned int value;

	switch (t->size) {
	case CSIZE_7:
		value = 7;
		break;
	case CSIZE_8:
		value = 8;
		break;
	default:
		value = 8;		/* 5 and 6 are not supported */
		break;
	}
	if (t->parity == 1)
		value += 0x100u;
	else if (t->parity == 2)
		value += 0x200u;
	if (t->two_stop_bits)
		value += 0x1000u;
	return value;
}

static int ftx_set_flow(struct ftx_port *p, const struct termios *t)
{
	unsigned int value = 0;
	unsigned int index = 0;

	if (t->rtscts) {
		index = 0x100u;
	} else if (t->xonxoff) {
		index = 0x400u;
		value = t->stop_char * 256u + t->start_char;
	}
	return ftx_control(p, FTX_SET_FLOW, value, index);
}

static int ftx_set_termios(struct ftx_port *p, const struct termios *t)
{
	int err;

	err = ftx_control(p, FTX_SET_DATA, ftx_data_bits(t), 0);
	if (err)
		return err;
	if (t->baud == 0) {
		/* The way to hang up. */
		err = ftx_update_modem(p, 0, TIOCM_DTR | TIOCM_RTS);
		if (err)
			return err;
	} else {
		err = ftx_set_baud(p, t->baud);
		if (err)
			return err;
		if (p->termios.baud == 0) {
			err = ftx_update_modem(p, TIOCM_DTR | TIOCM_RTS, 0);
			if (err)
				return err;
		}
	}
	err = ftx_set_flow(p, t);
	if (err)
		return err;
	p->termios = *t;
	return 0;
}

/* ---- the fifo of characters to send ------------------------------------ */

static void fifo_reset(struct fifo *f)
{
	f->head = 0;
	f->count = 0;
}

static int fifo_room(const struct fifo *f)
{
	return FIFO_SIZE - f->count;
}

static void fifo_put(struct fifo *f, unsigned char c)
{
	int at;

	at = f->head + f->count;
	if (at >= FIFO_SIZE)
		at = at - FIFO_SIZE;
	assert(at >= 0 && at < FIFO_SIZE);
	f->data[at] = c;
	f->count = f->count + 1;
}

static unsigned char fifo_get(struct fifo *f)
{
	unsigned char c;

	assert(f->head >= 0 && f->head < FIFO_SIZE);
	c = f->data[f->head];
	f->head = f->head + 1;
	if (f->head == FIFO_SIZE)
		f->head = 0;
	f->count = f->count - 1;
	return c;
}

/* ---- reading ----------------------------------------------------------- */

/* Hand a character up; the tty layer throttles us when it has too many. */
static void tty_insert(struct tty_port *tty, unsigned char c,
		       enum tty_flag flag)
{
	if (flag == TTY_NORMAL && c == 0 && tty->hung_up)
		return;
	if (tty->buffered < tty->limit)
		tty->buffered++;
}

static int ftx_submit_read(struct ftx_port *p)
{
	int err;

	usb_fill_urb(&p->read_urb, p->read_urb.buffer, BULK_SIZE,
		     p->read_urb.complete, p);
	err = usb_submit_urb(&p->read_urb);
	if (err)
		p->rx_dead = 1;
	return err;
}

static void ftx_modem_changed(struct ftx_port *p, unsigned char msr)
{
	unsigned char delta = (unsigned char)(msr ^ p->msr);

	if (delta & MS_CTS)
		p->icount.cts++;
	if (delta & MS_DSR)
		p->icount.dsr++;
	if ((p->msr & MS_RI) && !(msr & MS_RI))
		p->icount.rng++;
	if (delta & MS_CD) {
		p->icount.dcd++;
		if (!(msr & MS_CD))
			p->tty->hung_up = 1;
	}
	p->msr = msr;
}

static enum tty_flag ftx_line_errors(struct ftx_port *p, unsigned char lsr)
{
	if (lsr & LS_BREAK) {
		p->icount.brk++;
		return TTY_BREAK;
	}
	if (lsr & LS_PARITY) {
		p->icount.parity++;
		return TTY_PARITY;
	}
	if (lsr & LS_FRAME) {
		p->icount.frame++;
		return TTY_FRAME;
	}
	if (lsr & LS_OVERRUN) {
		p->icount.overrun++;
		return TTY_OVERRUN;
	}
	return TTY_NORMAL;
}

/* A packet: modem status, line status, data. */
static void ftx_process_packet(struct ftx_port *p, const unsigned char *data,
			       int length)
{
	enum tty_flag flag;
	int i;

	if (length < STATUS_BYTES)
		return;
	if (data[0] != p->msr)
		ftx_modem_changed(p, data[0]);
	flag = ftx_line_errors(p, data[1]);
	for (i = STATUS_BYTES; i < length; i++) {
		assert(i < BULK_SIZE);
		p->icount.rx++;
		tty_insert(p->tty, data[i], flag);
	}
}

static void ftx_read_done(struct urb *urb)
{
	struct ftx_port *p = urb->context;

	assert(urb->status != -EINPROGRESS);
	switch (urb->status) {
	case 0:
		ftx_process_packet(p, urb->buffer, urb->actual_length);
		p->stalls = 0;
		break;
	case -ENOENT:
	case -ECONNRESET:
	case -ESHUTDOWN:
		return;			/* killed: by close, suspend, ... */
	case -EPIPE:
		if (++p->stalls > MAX_STALLS) {
			p->rx_dead = 1;
			return;
		}
		break;
	default:
		break;			/* noise: try again */
	}

	spin_lock(&p->lock);
	if (!p->opened || p->suspended || p->gone) {
		spin_unlock(&p->lock);
		return;
	}
	if (p->throttled) {
		p->rx_held = 1;
		spin_unlock(&p->lock);
		return;
	}
	spin_unlock(&p->lock);
	ftx_submit_read(p);
}

/* The tty layer has had enough. */
static void ftx_throttle(struct ftx_port *p)
{
	spin_lock(&p->lock);
	p->throttled = 1;
	spin_unlock(&p->lock);
}

static void ftx_unthrottle(struct ftx_port *p)
{
	int held;

	spin_lock(&p->lock);
	held = p->throttled;
	p->throttled = 0;
	p->rx_held = 0;
	if (!p->opened || p->suspended || p->gone)
		held = 0;
	spin_unlock(&p->lock);
	if (held)
		ftx_submit_read(p);
}

/* ---- writing ----------------------------------------------------------- */

/* Move what fits from the fifo into the buffer of write_urb. */
static int ftx_fill_write(struct ftx_port *p)
{
	struct urb *urb = &p->write_urb;
	unsigned char c;
	int n;

	assert(urb->status != -EINPROGRESS);
	for (n = 0; n < BULK_SIZE && p->fifo.count > 0; n++) {
		assert(n >= 0 && n < BULK_SIZE);
		c = fifo_get(&p->fifo);
		urb->buffer[n] = c;
	}
	urb->length = n;
	return n;
}

/* Start sending, unless that goes on already or there is nothing to send. */
static int ftx_start_write(struct ftx_port *p)
{
	int n, err;

	spin_lock(&p->lock);
	if (p->tx_busy || p->fifo.count == 0) {
		spin_unlock(&p->lock);
		return 0;
	}
	if (!p->opened || p->suspended || p->gone) {
		spin_unlock(&p->lock);
		return 0;
	}
	p->tx_busy = 1;
	n = ftx_fill_write(p);
	spin_unlock(&p->lock);

	err = usb_submit_urb(&p->write_urb);
	if (err) {
		spin_lock(&p->lock);
		p->tx_busy = 0;
		spin_unlock(&p->lock);
		return err;
	}
	p->icount.tx += (unsigned int)n;
	return 0;
}

static void ftx_write_done(struct urb *urb)
{
	struct ftx_port *p = urb->context;

	assert(urb->status != -EINPROGRESS);
	spin_lock(&p->lock);
	p->tx_busy = 0;
	spin_unlock(&p->lock);

	switch (urb->status) {
	case 0:
		break;
	case -ENOENT:
	case -ECONNRESET:
	case -ESHUTDOWN:
		return;
	case -EPIPE:
		return;			/* the next write will try */
	default:
		break;
	}
	ftx_start_write(p);
}

static int ftx_write(struct ftx_port *p, int count)
{
	int room, n;

	if (count < 0)
		return -EINVAL;
	spin_lock(&p->lock);
	if (!p->opened || p->gone) {
		spin_unlock(&p->lock);
		return -ENODEV;
	}
	room = fifo_room(&p->fifo);
	if (count > room)
		count = room;
	for (n = 0; n < count; n++)
		fifo_put(&p->fifo, __VERIFIER_nondet_uchar());
	spin_unlock(&p->lock);
	ftx_start_write(p);
	return count;
}

static int ftx_write_room(struct ftx_port *p)
{
	int room;

	spin_lock(&p->lock);
	room = fifo_room(&p->fifo);
	spin_unlock(&p->lock);
	return room;
}

static int ftx_chars_in_buffer(struct ftx_port *p)
{
	int chars;

	spin_lock(&p->lock);
	chars = p->fifo.count;
	if (p->tx_busy)
		chars = chars + p->write_urb.length;
	spin_unlock(&p->lock);
	return chars;
}

static void ftx_flush_tx(struct ftx_port *p)
{
	spin_lock(&p->lock);
	fifo_reset(&p->fifo);
	spin_unlock(&p->lock);
	ftx_purge(p, RESET_PURGE_TX);
}

/* ---- modem lines, by interrupt ----------------------------------------- */

static int ftx_submit_intr(struct ftx_port *p)
{
	usb_fill_urb(&p->intr_urb, p->intr_urb.buffer, INTR_SIZE,
		     p->intr_urb.complete, p);
	return usb_submit_urb(&p->intr_urb);
}

static void ftx_intr_done(struct urb *urb)
{
	struct ftx_port *p = urb->context;
	int ok;

	assert(urb->status != -EINPROGRESS);
	switch (urb->status) {
	case 0:
		if (urb->actual_length >= 1)
			ftx_modem_changed(p, urb->buffer[0]);
		break;
	case -ENOENT:
	case -ECONNRESET:
	case -ESHUTDOWN:
		return;
	default:
		break;
	}
	spin_lock(&p->lock);
	ok = p->opened && !p->suspended && !p->gone;
	spin_unlock(&p->lock);
	if (ok)
		ftx_submit_intr(p);
}

/* ---- open and close ---------------------------------------------------- */

/* Nothing is under way after this. */
static void ftx_kill_all(struct ftx_port *p)
{
	usb_kill_urb(&p->read_urb);
	usb_kill_urb(&p->write_urb);
	usb_kill_urb(&p->intr_urb);
}

static void ftx_do_close(struct ftx_port *p)
{
	spin_lock(&p->lock);
	p->opened = 0;
	p->throttled = 0;
	p->rx_held = 0;
	p->rx_dead = 0;
	fifo_reset(&p->fifo);
	spin_unlock(&p->lock);
	ftx_kill_all(p);
}

static int ftx_open(struct ftx_port *p)
{
	int err;

	might_sleep();
	if (p->gone)
		return -ENODEV;
	if (p->suspended)
		return -EAGAIN;
	if (p->opened)
		return -EBUSY;

	err = ftx_reset(p);
	if (err)
		return err;
	err = ftx_purge(p, RESET_PURGE_RX);
	if (err)
		return err;
	if (p->chip->has_latency) {
		err = ftx_set_latency(p, p->latency);
		if (err)
			return err;
	}

	spin_lock(&p->lock);
	p->opened = 1;
	p->throttled = 0;
	p->rx_held = 0;
	p->rx_dead = 0;
	p->stalls = 0;
	fifo_reset(&p->fifo);
	spin_unlock(&p->lock);

	err = ftx_update_modem(p, TIOCM_DTR | TIOCM_RTS, 0);
	if (err)
		goto err_close;
	err = ftx_submit_intr(p);
	if (err)
		goto err_close;
	err = ftx_submit_read(p);
	if (err)
		goto err_close;
	return 0;

err_close:
	ftx_do_close(p);
	return err;
}

static void ftx_close(struct ftx_port *p)
{
	might_sleep();
	if (!p->opened)
		return;
	if (!p->gone && !p->suspended)
		ftx_update_modem(p, 0, TIOCM_DTR | TIOCM_RTS);
	ftx_do_close(p);
}

/* ---- ioctls ------------------------------------------------------------ */

static int ftx_break(struct ftx_port *p, int on)
{
	unsigned int value = ftx_data_bits(&p->termios);

	if (on)
		value += 0x4000u;
	return ftx_control(p, FTX_SET_DATA, value, 0);
}

static int ftx_flush_rx(struct ftx_port *p)
{
	int err;

	err = ftx_purge(p, RESET_PURGE_RX);
	if (err)
		return err;
	p->tty->buffered = 0;
	return 0;
}

/* After errors: clear the halt and start reading again. */
static int ftx_recover(struct ftx_port *p)
{
	int err;

	spin_lock(&p->lock);
	if (!p->opened || p->suspended || p->gone || !p->rx_dead) {
		spin_unlock(&p->lock);
		return 0;
	}
	spin_unlock(&p->lock);

	usb_kill_urb(&p->read_urb);
	err = ftx_control(p, FTX_CLEAR_HALT, 0, 0);
	if (err)
		return err;
	p->stalls = 0;
	p->rx_dead = 0;
	p->rx_held = 0;
	return ftx_submit_read(p);
}

static int ftx_do_ioctl(struct ftx_port *p, enum ftx_ioctl cmd,
			unsigned int arg, unsigned int *result)
{
	int err = 0;

	if (!p->opened)
		return -ENODEV;
	switch (cmd) {
	case FTX_IOC_MGET:
		err = ftx_get_modem(p, result);
		break;
	case FTX_IOC_MSET:
		err = ftx_update_modem(p, arg & (TIOCM_DTR | TIOCM_RTS),
				       ~arg & (TIOCM_DTR | TIOCM_RTS));
		break;
	case FTX_IOC_BREAK_ON:
		err = ftx_break(p, 1);
		break;
	case FTX_IOC_BREAK_OFF:
		err = ftx_break(p, 0);
		break;
	case FTX_IOC_LATENCY_GET:
		*result = (unsigned int)p->latency;
		break;
	case FTX_IOC_LATENCY_SET:
		if (arg > (unsigned int)LATENCY_MAX)
			return -EINVAL;
		err = ftx_set_latency(p, (int)arg);
		break;
	case FTX_IOC_FLUSH_RX:
		err = ftx_flush_rx(p);
		break;
	case FTX_IOC_FLUSH_TX:
		ftx_flush_tx(p);
		break;
	case FTX_IOC_ICOUNT:
		*result = p->icount.rx + p->icount.tx;
		break;
	default:
		err = -ENOTTY;
		break;
	}
	return err;
}

/* ---- suspend and resume ------------------------------------------------ */

static int ftx_suspend(struct ftx_port *p)
{
	might_sleep();
	spin_lock(&p->lock);
	if (p->suspended || p->gone) {
		spin_unlock(&p->lock);
		return 0;
	}
	if (p->tx_busy) {
		/* Not in the middle of a sentence. */
		spin_unlock(&p->lock);
		return -EBUSY;
	}
	p->suspended = 1;
	spin_unlock(&p->lock);
	ftx_kill_all(p);
	return 0;
}

static int ftx_resume(struct ftx_port *p)
{
	int err;

	might_sleep();
	spin_lock(&p->lock);
	if (!p->suspended || p->gone) {
		spin_unlock(&p->lock);
		return 0;
	}
	p->suspended = 0;
	spin_unlock(&p->lock);
	if (!p->opened)
		return 0;

	err = ftx_set_flow(p, &p->termios);
	if (err)
		return err;
	err = ftx_submit_intr(p);
	if (err)
		return err;
	if (p->throttled) {
		spin_lock(&p->lock);
		p->rx_held = 1;		/* unthrottle will submit it */
		spin_unlock(&p->lock);
	} else {
		p->rx_held = 0;
		err = ftx_submit_read(p);
		if (err)
			return err;
	}
	return ftx_start_write(p);
}

/* ---- probe and disconnect ---------------------------------------------- */

/* The host controller has none of our urbs. */
static void check_quiet(struct ftx_port *p)
{
	assert(p->read_urb.status != -EINPROGRESS);
	assert(p->write_urb.status != -EINPROGRESS);
	assert(p->intr_urb.status != -EINPROGRESS);
}

static int ftx_identify(struct ftx_port *p, int version)
{
	switch (version) {
	case 1:
		p->chip = &chip_v1;
		break;
	case 2:
	case 3:
		p->chip = &chip_v2;
		break;
	case 4:
		p->chip = &chip_v4;
		break;
	default:
		if (version < 1)
			return -ENODEV;
		p->chip = &chip_v4;
		break;
	}
	return 0;
}

static int ftx_probe(struct ftx_port *p)
{
	int err;

	assert(!p->opened);
	p->suspended = 0;
	p->gone = 0;
	p->throttled = 0;
	p->rx_held = 0;
	p->rx_dead = 0;
	p->tx_busy = 0;
	p->stalls = 0;
	p->mcr = 0;
	p->msr = 0;
	p->latency = LATENCY_DEFAULT;
	p->tty = &ftx_tty;
	p->tty->limit = 4096;
	p->fifo.data = fifo_buffer;
	fifo_reset(&p->fifo);

	err = ftx_control(p, FTX_GET_VERSION, 0, 0);
	if (err)
		goto err_gone;
	err = ftx_identify(p, __VERIFIER_nondet_int());
	if (err)
		goto err_gone;

	check_quiet(p);
	p->read_urb.status = 0;
	p->write_urb.status = 0;
	p->intr_urb.status = 0;
	usb_fill_urb(&p->read_urb, read_buffer, BULK_SIZE, ftx_read_done, p);
	usb_fill_urb(&p->write_urb, write_buffer, 0, ftx_write_done, p);
	usb_fill_urb(&p->intr_urb, intr_buffer, INTR_SIZE, ftx_intr_done, p);

	p->termios.baud = 9600;
	p->termios.size = CSIZE_8;
	p->termios.start_char = 17;
	p->termios.stop_char = 19;
	err = ftx_set_baud(p, 9600);
	if (err)
		goto err_gone;
	return 0;

err_gone:
	p->gone = 1;
	return err;
}

static void ftx_disconnect(struct ftx_port *p)
{
	might_sleep();
	spin_lock(&p->lock);
	p->gone = 1;
	spin_unlock(&p->lock);
	ftx_kill_all(p);
	p->tty->hung_up = 1;
}

/* ---- a nondeterministic world ------------------------------------------ */

/* The host controller finishes one of the urbs that are under way. */
static void host_controller(struct ftx_port *p)
{
	struct urb *urb;
	int status = __VERIFIER_nondet_int();

	switch (__VERIFIER_nondet_int()) {
	case 0:
		urb = &p->write_urb;
		break;
	case 1:
		urb = &p->intr_urb;
		break;
	default:
		urb = &p->read_urb;
		break;
	}
	if (urb->status != -EINPROGRESS || status == -EINPROGRESS)
		return;
	usb_giveback_urb(urb, status);
}

static void tty_layer(struct ftx_port *p)
{
	struct termios t;
	unsigned int result;

	switch (__VERIFIER_nondet_int()) {
	case 0:
		ftx_open(p);
		break;
	case 1:
		ftx_close(p);
		check_quiet(p);
		break;
	case 2:
		ftx_throttle(p);
		break;
	case 3:
		ftx_unthrottle(p);
		break;
	case 4:
		ftx_do_ioctl(p, (enum ftx_ioctl)__VERIFIER_nondet_uint(),
			     __VERIFIER_nondet_uint(), &result);
		break;
	case 5:
		t = p->termios;
		t.baud = __VERIFIER_nondet_int();
		t.size = __VERIFIER_nondet_int();
		t.parity = __VERIFIER_nondet_int();
		t.rtscts = __VERIFIER_nondet_int();
		if (p->opened)
			ftx_set_termios(p, &t);
		break;
	case 6:
		assert(ftx_write_room(p) <= FIFO_SIZE);
		break;
	case 7:
		ftx_chars_in_buffer(p);
		break;
	case 8:
		ftx_recover(p);
		break;
	default:
		ftx_write(p, __VERIFIER_nondet_int());
		break;
	}
}

int main(void)
{
	struct ftx_port *p = &ftx;

	p->gone = 1;
	while (__VERIFIER_nondet_int()) {
		switch (__VERIFIER_nondet_int()) {
		case 0:
			if (ftx_suspend(p) == 0)
				check_quiet(p);
			break;
		case 1:
			ftx_resume(p);
			break;
		case 2:
			if (!p->gone)
				ftx_disconnect(p);
			check_quiet(p);
			break;
		case 3:
			/* An adapter is plugged in. */
			if (p->gone && !p->opened)
				ftx_probe(p);
			break;
		case 4:
		case 5:
			host_controller(p);
			break;
		default:
			tty_layer(p);
			break;
		}
	}
	return 0;
}
