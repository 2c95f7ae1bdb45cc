/*
 * daq - a data acquisition board behind three device nodes.
 *
 *	/dev/daqctl	control: calibration, range and rate
 *	/dev/daq	the stream of samples, by DMA; cooked or raw
 *	/dev/daqev	the event counter, by interrupt
 *
 * Each node has its own table of operations, and the virtual file system
 * calls the driver through it.  As in older sound drivers, there is one open
 * routine for all nodes, which puts the right table into the file.  How
 * samples are fetched, cooked or raw, is a pointer to a routine that an ioctl
 * changes.  There are two models of the board, which differ in resolution and
 * in the way they are calibrated: a second table, of the board.
 *
 * Properties: the board's registers are touched only while it is powered; it
 * is never switched off with its DMA engine running or its interrupt on, and
 * is off when no file is open; and samples never reach
 * beyond the buffers they are copied to.
 */
#include <assert.h>
#include <stddef.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);
extern unsigned int inl(unsigned long port);
extern void outl(unsigned int value, unsigned long port);

#define EIO		5
#define ENXIO		6
#define EAGAIN		11
#define EFAULT		14
#define EBUSY		16
#define ENODEV		19
#define EINVAL		22
#define ENOTTY		25

/* Registers */
#define DAQ_ID		0x00u
#define DAQ_POWER	0x04u
#define DAQ_RANGE	0x08u
#define DAQ_RATE	0x0cu
#define DAQ_OFFSET	0x10u
#define DAQ_GAIN	0x14u
#define DAQ_SAMPLE	0x18u
#define DAQ_DMA_CTRL	0x20u
#define DAQ_DMA_POS	0x24u
#define DAQ_EV_CTRL	0x30u
#define DAQ_EV_COUNT	0x34u
#define DAQ_EV_LIMIT	0x38u
#define DAQ_STATUS	0x3cu

#define ID_DAQ16	0x1616u
#define ID_DAQ12	0x1212u
#define POWER_ON	0x1u
#define DMA_RUN		0x1u
#define EV_ENABLE	0x1u
#define EV_ACK		0x2u
#define STATUS_READY	0x1u
#define STATUS_EVENT	0x2u
#define STATUS_BLOCK	0x4u

#define READY_POLLS	100
#define BLOCK		32		/* samples in a DMA block */
#define USER_BLOCK	64		/* samples a user's buffer holds */
#define RATE_MAX	100000u
#define CAL_STEPS	8

enum daq_minor {
	MINOR_CTL,
	MINOR_STREAM,
	MINOR_EVENT
};

enum daq_cmd {
	DAQ_IOC_RANGE = 1,
	DAQ_IOC_RATE,
	DAQ_IOC_CALIBRATE,
	DAQ_IOC_START,
	DAQ_IOC_STOP,
	DAQ_IOC_RAW,
	DAQ_IOC_COOKED,
	DAQ_IOC_EV_ENABLE,
	DAQ_IOC_EV_DISABLE,
	DAQ_IOC_EV_LIMIT
};

#define POLL_IN		0x1u
#define POLL_ERR	0x8u

struct file;

struct file_operations {
	int (*read)(struct file *f, int *to, int count);
	int (*write)(struct file *f, const int *from, int count);
	int (*ioctl)(struct file *f, enum daq_cmd cmd, unsigned int arg);
	unsigned int (*poll)(struct file *f);
	int (*release)(struct file *f);
};

struct file {
	const struct file_operations *f_op;
	void *private_data;
	int nonblock;
};

/* What is behind one node. */
struct daq_chan {
	enum daq_minor kind;
	int running;
	unsigned int arg;
	unsigned int errors;
	int (*fetch)(struct file *f, int *to, int count);
};

struct daq_board;

struct board_ops {
	int bits;
	int (*calibrate)(struct daq_board *b);
	int (*convert)(struct daq_board *b, unsigned int raw);
};

struct daq_board {
	const struct board_ops *ops;
	unsigned long base;
	int powered;
	int dma_on;
	int irq_on;
	unsigned int range;
	unsigned int rate;
	int offset;
	unsigned int events;
};

static struct daq_board board;

static struct daq_chan ctl_chan = { MINOR_CTL, 0, 0, 0, NULL };
static struct daq_chan stream_chan = { MINOR_STREAM, 0, 0, 0, NULL };
static struct daq_chan event_chan = { MINOR_EVENT, 0, 0, 0, NULL };

/* ---- registers --------------------------------------------------------- */

static unsigned int daq_in(struct daq_board *b, unsigned int reg)
{
	assert(b->powered);
	return inl(b->base + reg);
}

static void daq_out(struct daq_board *b, unsigned int reg, unsigned int value)
{
	assert(b->powered);
	outl(value, b->base + reg);
}

static int daq_wait_ready(struct daq_board *b)
{
	int polls;

	for (polls = 0; polls < READY_POLLS; polls++) {
		if (daq_in(b, DAQ_STATUS) & STATUS_READY)
			return 0;
	}
	return -EIO;
}

/* ---- power ------------------------------------------------------------- */

static void daq_power_off(struct daq_board *b)
{
	assert(!b->dma_on);
	assert(!b->irq_on);
	daq_out(b, DAQ_POWER, 0);
	b->powered = 0;
}

static int daq_power_on(struct daq_board *b)
{
	int err;

	outl(POWER_ON, b->base + DAQ_POWER);
	b->powered = 1;
	err = daq_wait_ready(b);
	if (err) {
		daq_power_off(b);
		return err;
	}
	daq_out(b, DAQ_RANGE, b->range);
	daq_out(b, DAQ_RATE, b->rate);
	return 0;
}

/* ---- the models -------------------------------------------------------- */

/* Sixteen bits: the board calibrates itself. */
static int daq16_calibrate(struct daq_board *b)
{
	int err;

	daq_out(b, DAQ_OFFSET, 1);
	err = daq_wait_ready(b);
	if (err)
		return err;
	b->offset = (int)(daq_in(b, DAQ_OFFSET) % 65536u);
	return 0;
}

static int daq16_convert(struct daq_board *b, unsigned int raw)
{
	int v = (int)(raw % 65536u);

	return v - b->offset;
}

/* Twelve bits: by successive approximation of the offset. */
static int daq12_calibrate(struct daq_board *b)
{
	int step, err;
	int weight = 2048;
	int offset = 0;

	for (step = 0; step < CAL_STEPS; step++) {
		daq_out(b, DAQ_OFFSET, (unsigned int)(offset + weight));
		err = daq_wait_ready(b);
		if (err) {
			daq_out(b, DAQ_OFFSET, (unsigned int)b->offset);
			return err;
		}
		if (daq_in(b, DAQ_SAMPLE) % 4096u >= 2048u)
			offset = offset + weight;
		weight = weight / 2;
	}
	b->offset = offset;
	return 0;
}

static int daq12_convert(struct daq_board *b, unsigned int raw)
{
	int v = (int)(raw % 4096u);

	return (v - b->offset) * 16;
}

static const struct board_ops daq16_ops = {
	.bits = 16,
	.calibrate = daq16_calibrate,
	.convert = daq16_convert,
};

static const struct board_ops daq12_ops = {
	.bits = 12,
	.calibrate = daq12_calibrate,
	.convert = daq12_convert,
};

static int daq_identify(struct daq_board *b)
{
	unsigned int id = inl(b->base + DAQ_ID);

	if (id == ID_DAQ12)
		b->ops = &daq12_ops;
	else if (id == ID_DAQ16 || id % 2 == 0)
		b->ops = &daq16_ops;	/* and its many copies */
	else
		return -ENODEV;
	b->range = 1;
	b->rate = 1000;
	b->offset = 0;
	return 0;
}

/* ---- the stream's engine ----------------------------------------------- */

static int daq_dma_start(struct daq_board *b)
{
	int err;

	if (b->dma_on)
		return -EBUSY;
	err = daq_wait_ready(b);
	if (err)
		return err;
	daq_out(b, DAQ_DMA_POS, 0);
	daq_out(b, DAQ_DMA_CTRL, DMA_RUN);
	b->dma_on = 1;
	return 0;
}

static void daq_dma_stop(struct daq_board *b)
{
	if (!b->dma_on)
		return;
	daq_out(b, DAQ_DMA_CTRL, 0);
	b->dma_on = 0;
}

static void daq_event_enable(struct daq_board *b, unsigned int limit)
{
	daq_out(b, DAQ_EV_LIMIT, limit);
	daq_out(b, DAQ_EV_CTRL, EV_ENABLE | EV_ACK);
	b->irq_on = 1;
}

static void daq_event_disable(struct daq_board *b)
{
	daq_out(b, DAQ_EV_CTRL, EV_ACK);
	b->irq_on = 0;
}

/* ---- /dev/daqctl ------------------------------------------------------- */

static int ctl_write(struct file *f, const int *from, int count)
{
	struct daq_chan *c = f->private_data;

	/* One word: the offset, set by hand. */
	if (count != 1) {
		c->errors++;
		return -EINVAL;
	}
	board.offset = from[0];
	daq_out(&board, DAQ_OFFSET, (unsigned int)from[0]);
	return 1;
}

static int ctl_ioctl(struct file *f, enum daq_cmd cmd, unsigned int arg)
{
	struct daq_chan *c = f->private_data;
	int err = 0;

	switch (cmd) {
	case DAQ_IOC_RANGE:
		if (arg > 3)
			return -EINVAL;
		board.range = arg;
		daq_out(&board, DAQ_RANGE, arg);
		break;
	case DAQ_IOC_RATE:
		if (arg == 0 || arg > RATE_MAX)
			return -EINVAL;
		board.rate = arg;
		daq_out(&board, DAQ_RATE, arg);
		break;
	case DAQ_IOC_CALIBRATE:
		err = board.ops->calibrate(&board);
		if (err)
			c->errors++;
		break;
	default:
		err = -ENOTTY;
		break;
	}
	return err;
}

static int ctl_release(struct file *f)
{
	struct daq_chan *c = f->private_data;

	c->running = 0;
	daq_power_off(&board);
	return 0;
}

/* ---- /dev/daq ---------------------------------------------------------- */

/* How many samples to deliver: a block at most, and what the user can take. */
static int stream_amount(int count)
{
	if (count > BLOCK)
		count = BLOCK;
	return count;
}

static int stream_wait(struct file *f, struct daq_chan *c)
{
	int polls;

	if (!c->running)
		return -EINVAL;
	for (polls = 0; polls < READY_POLLS; polls++) {
		if (daq_in(&board, DAQ_STATUS) & STATUS_BLOCK)
			return 0;
		if (f->nonblock)
			return -EAGAIN;
	}
	c->errors++;
	return -EIO;
}

/* Cooked: in units of the range, whatever the model. */
static int fetch_cooked(struct file *f, int *to, int count)
{
	struct daq_chan *c = f->private_data;
	unsigned int raw;
	int n, i, err;

	err = stream_wait(f, c);
	if (err)
		return err;
	n = stream_amount(count);
	for (i = 0; i < n; i++) {
		assert(i < BLOCK && i < count);
		raw = daq_in(&board, DAQ_SAMPLE);
		to[i] = board.ops->convert(&board, raw);
	}
	return n;
}

/* Raw: as they come from the board. */
static int fetch_raw(struct file *f, int *to, int count)
{
	struct daq_chan *c = f->private_data;
	int n, i, err;

	err = stream_wait(f, c);
	if (err)
		return err;
	n = stream_amount(count);
	for (i = 0; i < n; i++) {
		assert(i < BLOCK && i < count);
		to[i] = (int)(daq_in(&board, DAQ_SAMPLE) % 65536u);
	}
	return n;
}

static int stream_read(struct file *f, int *to, int count)
{
	struct daq_chan *c = f->private_data;

	if (count < 0)
		return -EINVAL;
	return c->fetch(f, to, count);
}

static unsigned int stream_poll(struct file *f)
{
	struct daq_chan *c = f->private_data;

	if (!c->running)
		return POLL_ERR;
	if (daq_in(&board, DAQ_STATUS) & STATUS_BLOCK)
		return POLL_IN;
	return 0;
}

static int stream_ioctl(struct file *f, enum daq_cmd cmd, unsigned int arg)
{
	struct daq_chan *c = f->private_data;
	int err = 0;

	switch (cmd) {
	case DAQ_IOC_START:
		err = daq_dma_start(&board);
		if (!err) {
			c->running = 1;
			c->arg = arg;
		}
		break;
	case DAQ_IOC_STOP:
		daq_dma_stop(&board);
		c->running = 0;
		break;
	case DAQ_IOC_RAW:
	case DAQ_IOC_COOKED:
		if (c->running)
			return -EBUSY;
		c->fetch = cmd == DAQ_IOC_RAW ? fetch_raw : fetch_cooked;
		break;
	default:
		err = -ENOTTY;
		break;
	}
	return err;
}

static int stream_release(struct file *f)
{
	struct daq_chan *c = f->private_data;

	if (c->running || board.dma_on)
		daq_dma_stop(&board);
	c->running = 0;
	daq_power_off(&board);
	return 0;
}

/* ---- /dev/daqev -------------------------------------------------------- */

static int event_read(struct file *f, int *to, int count)
{
	struct daq_chan *c = f->private_data;

	if (count < 1)
		return -EINVAL;
	if (!c->running)
		return -EINVAL;
	if (board.events == 0 && f->nonblock)
		return -EAGAIN;
	to[0] = (int)(board.events % 32768u);
	board.events = 0;
	return 1;
}

static unsigned int event_poll(struct file *f)
{
	struct daq_chan *c = f->private_data;

	if (!c->running)
		return POLL_ERR;
	return board.events > 0 ? POLL_IN : 0;
}

static int event_ioctl(struct file *f, enum daq_cmd cmd, unsigned int arg)
{
	struct daq_chan *c = f->private_data;

	switch (cmd) {
	case DAQ_IOC_EV_ENABLE:
		board.events = 0;
		daq_event_enable(&board, c->arg);
		c->running = 1;
		return 0;
	case DAQ_IOC_EV_DISABLE:
		daq_event_disable(&board);
		c->running = 0;
		return 0;
	case DAQ_IOC_EV_LIMIT:
		if (arg == 0)
			return -EINVAL;
		c->arg = arg;
		if (c->running)
			daq_event_enable(&board, arg);
		return 0;
	default:
		return -ENOTTY;
	}
}

static int event_release(struct file *f)
{
	struct daq_chan *c = f->private_data;

	if (board.irq_on)
		daq_event_disable(&board);
	c->running = 0;
	daq_power_off(&board);
	return 0;
}

/* ---- the tables -------------------------------------------------------- */

static const struct file_operations ctl_fops = {
	.write = ctl_write,
	.ioctl = ctl_ioctl,
	.release = ctl_release,
};

static const struct file_operations stream_fops = {
	.read = stream_read,
	.ioctl = stream_ioctl,
	.poll = stream_poll,
	.release = stream_release,
};

static const struct file_operations event_fops = {
	.read = event_read,
	.ioctl = event_ioctl,
	.poll = event_poll,
	.release = stream_release,
};

/* The one open routine: it finds the table and the channel of a node. */
static int daq_open(struct file *f, unsigned int minor)
{
	int err;

	if (board.powered)
		return -EBUSY;		/* one user of the board at a time */
	switch (minor) {
	case MINOR_CTL:
		f->f_op = &ctl_fops;
		f->private_data = &ctl_chan;
		break;
	case MINOR_STREAM:
		f->f_op = &stream_fops;
		f->private_data = &stream_chan;
		stream_chan.fetch = fetch_cooked;
		break;
	case MINOR_EVENT:
		f->f_op = &event_fops;
		f->private_data = &event_chan;
		break;
	default:
		return -ENXIO;
	}
	err = daq_power_on(&board);
	return err;
}

/* ---- the interrupt handler --------------------------------------------- */

static void daq_interrupt(void)
{
	struct daq_board *b = &board;
	unsigned int count;

	if (!b->irq_on)
		return;			/* the line is shared */
	if (!(daq_in(b, DAQ_STATUS) & STATUS_EVENT))
		return;
	count = daq_in(b, DAQ_EV_COUNT);
	b->events += count;
	daq_out(b, DAQ_EV_CTRL, EV_ENABLE | EV_ACK);
}

/* ---- the virtual file system ------------------------------------------- */

static int vfs_read(struct file *f, int *to, int count)
{
	if (!f->f_op->read)
		return -EINVAL;
	return f->f_op->read(f, to, count);
}

static int vfs_write(struct file *f, const int *from, int count)
{
	if (!f->f_op->write)
		return -EINVAL;
	return f->f_op->write(f, from, count);
}

static int vfs_ioctl(struct file *f, enum daq_cmd cmd, unsigned int arg)
{
	if (!f->f_op->ioctl)
		return -ENOTTY;
	return f->f_op->ioctl(f, cmd, arg);
}

static unsigned int vfs_poll(struct file *f)
{
	if (!f->f_op->poll)
		return POLL_IN;
	return f->f_op->poll(f);
}

static int vfs_release(struct file *f)
{
	return f->f_op->release(f);
}

/* ---- users ------------------------------------------------------------- */

/* What a process may do with a file between open and close. */
static void use_file(struct file *f)
{
	int data[USER_BLOCK];

	while (__VERIFIER_nondet_int()) {
		switch (__VERIFIER_nondet_int()) {
		case 0:
			vfs_read(f, data, USER_BLOCK);
			break;
		case 1:
			data[0] = __VERIFIER_nondet_int();
			vfs_write(f, data, 1);
			break;
		case 2:
			vfs_poll(f);
			break;
		case 3:
			daq_interrupt();
			break;
		default:
			vfs_ioctl(f, (enum daq_cmd)__VERIFIER_nondet_uint(),
				  __VERIFIER_nondet_uint());
			break;
		}
	}
}

/* From open to close. */
static void session(unsigned int minor)
{
	struct file file;

	file.nonblock = __VERIFIER_nondet_int() != 0;
	if (daq_open(&file, minor))
		return;
	use_file(&file);
	vfs_release(&file);
}

int main(void)
{
	board.base = 0xe000u;
	if (daq_identify(&board))
		return 0;
	while (__VERIFIER_nondet_int()) {
		assert(!board.powered);
		session(__VERIFIER_nondet_uint());
		daq_interrupt();	/* a late one */
	}
	return 0;
}
