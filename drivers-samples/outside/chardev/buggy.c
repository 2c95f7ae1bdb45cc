/*
 * echo - an echo sounder behind a character device.
 *
 * A transducer sends a ping and listens; its samples pile up in a small FIFO
 * of the controller, and the interrupt moves them into a ring in the device,
 * from where read() fetches them.  Programs may also hand in pings of their
 * own, which wait in a list of the device until an echo comes back or the
 * sounder is stopped.
 *
 * The way from a file to the registers is that of many drivers: the inode
 * leads to a cdev, which is embedded in the device; the cdev names the
 * controller that it hangs from, and that one has registers and a table of
 * methods, some of which may be missing.
 *
 * Nothing of this is made here.  Inodes, files, devices, controllers and pings
 * belong to others, who may hand out one object under two names, a device
 * that is locked, one that nobody has started, or memory that nobody has set.
 * What is only true because the driver has just tested it, is no longer true
 * when it has slept.
 *
 * Properties: a lock is given back by whoever has taken it, and nobody sleeps
 * or returns to user space with it; no reference is dropped that is not there;
 * the FIFO is drained only while the sounder runs, into places that the ring
 * has; a ping is completed once.
 */
#include <assert.h>
#include <stddef.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

#define EINTR		4
#define EIO		5
#define ENXIO		6
#define EBADF		9
#define EAGAIN		11
#define EBUSY		16
#define ENODEV		19
#define EINVAL		22
#define ENOTTY		25

#define MAX_ERRNO	4095
#define IS_ERR(p)	((unsigned long)(p) >= (unsigned long)-MAX_ERRNO)
#define IS_ERR_OR_NULL(p) (!(p) || IS_ERR(p))

#define container_of(ptr, type, member) \
	((type *)((char *)(ptr) - offsetof(type, member)))

#define O_NONBLOCK	0x800u

#define POLLIN		0x1u
#define POLLOUT		0x4u
#define POLLERR		0x8u

#define IRQ_NONE	0
#define IRQ_HANDLED	1

#define ECHO_MAGIC	0x45434f31u
#define ECHO_RING	64
#define ECHO_CHUNK	16

#define CTRL_RUN	0x1u
#define CTRL_PING	0x2u
#define STAT_DATA	0x1u
#define STAT_ECHO	0x2u
#define STAT_FAULT	0x4u
#define ECHO_START	1u
#define ECHO_STOP	2u
#define ECHO_GAIN	3u
#define ECHO_LOST	4u
#define GAIN_MAX	40

#define NOBODY		0xffffffffu	/* a controller that was pulled */

/* ---- what others have made ---------------------------------------------- */

/* A chain ends with null. */
struct chain {
	struct chain *next;
};

struct mutex {
	int held;
};

struct kref {
	int count;
};

struct wait_queue {
	int sleepers;
};

struct echo_regs {
	volatile unsigned int ctrl;
	volatile unsigned int status;
	volatile unsigned int level;
	volatile unsigned int data;
};

struct controller;

struct controller_ops {
	int (*power)(struct controller *c, int on);
	int (*calibrate)(struct controller *c, int gain);
};

struct controller {
	const struct controller_ops *ops;
	struct echo_regs *regs;
	int irq;
};

struct cdev {
	unsigned int number;
	struct controller *owner_dev;
};

struct inode {
	unsigned int i_rdev;
	struct cdev *i_cdev;
};

struct file {
	unsigned int f_flags;
	struct inode *f_inode;
	void *private_data;
};

enum echo_state { ECHO_IDLE, ECHO_RUNNING, ECHO_GONE };

struct echo {
	unsigned int magic;
	struct kref ref;
	struct mutex lock;
	enum echo_state state;
	unsigned int head, tail;	/* into the ring */
	short ring[ECHO_RING];
	struct cdev cdev;
	struct wait_queue readers;
	struct chain *pings;
	int users;
	int gain;
	unsigned int lost;
};

enum ping_state { PING_NEW, PING_WAITING, PING_DONE, PING_CANCELLED };

struct ping {
	enum ping_state state;
	int result;
	struct chain link;
};

/* They sleep, and while they do anything may happen to what they are given. */
extern void sleep_on_mutex(struct mutex *m);
extern int wait_for_data(struct wait_queue *q);
extern void wake_up(struct wait_queue *q);

/* User memory is known by numbers only. */
extern unsigned long copy_out(unsigned long to, const void *from,
			      unsigned long n);
extern int put_user(unsigned int value, unsigned long to);

/* ---- locks and references ----------------------------------------------- */

static struct mutex *lock_held;		/* by this thread */

static void might_sleep(void)
{
	assert(lock_held == NULL);
}

static int mutex_trylock(struct mutex *m)
{
	if (m->held)
		return 0;
	m->held = 1;
	lock_held = m;
	return 1;
}

static void mutex_lock(struct mutex *m)
{
	might_sleep();
	while (m->held)
		sleep_on_mutex(m);
	m->held = 1;
	lock_held = m;
}

static void mutex_unlock(struct mutex *m)
{
	assert(lock_held == m);
	assert(m->held);
	m->held = 0;
	lock_held = NULL;
}

static int kref_get_unless_zero(struct kref *k)
{
	if (k->count < 1)
		return 0;
	k->count++;
	return 1;
}

static void kref_put(struct kref *k)
{
	assert(k->count >= 1);
	k->count--;
}

/* ---- pings -------------------------------------------------------------- */

static void ping_complete(struct ping *p, enum ping_state state, int result)
{
	assert(p->state == PING_WAITING);
	p->state = state;
	p->result = result;
}

/* All that wait meet the same fate.  With the lock.  Returns how many. */
static int pings_end(struct echo *dev, enum ping_state state, int result)
{
	struct chain *n, *next;
	struct ping *p;
	int ended = 0;

	n = dev->pings;
	dev->pings = NULL;
	while (n) {
		next = n->next;
		n->next = NULL;
		p = container_of(n, struct ping, link);
		if (p->state == PING_WAITING) {
			ping_complete(p, state, result);
			ended++;
		}
		n = next;
	}
	return ended;
}

/* ---- the ring ----------------------------------------------------------- */

static unsigned int ring_next(unsigned int i)
{
	i++;
	if (i >= ECHO_RING)
		i = 0;
	return i;
}

static void ring_check(struct echo *dev)
{
	if (dev->head >= ECHO_RING || dev->tail >= ECHO_RING) {
		dev->head = 0;
		dev->tail = 0;
	}
}

static void ring_put(struct echo *dev, short sample)
{
	unsigned int next;

	assert(dev->head < ECHO_RING);
	next = ring_next(dev->head);
	if (next == dev->tail) {
		dev->lost++;
		return;
	}
	dev->ring[dev->head] = sample;
	dev->head = next;
}

static int ring_get(struct echo *dev, short *sample)
{
	assert(dev->tail < ECHO_RING);
	if (dev->tail == dev->head)
		return 0;
	*sample = dev->ring[dev->tail];
	dev->tail = ring_next(dev->tail);
	return 1;
}

/* Moves what the controller has into the ring.  With the lock. */
static int echo_drain(struct echo *dev, struct echo_regs *regs)
{
	unsigned int n;
	int moved = 0;

	assert(dev->state == ECHO_RUNNING);
	n = regs->level;
	if (n == NOBODY)
		return -EIO;
	if (n > ECHO_RING)
		n = ECHO_RING;
	ring_check(dev);
	while (n > 0) {
		ring_put(dev, (short)regs->data);
		moved++;
		n--;
	}
	return moved;
}

/* ---- the way to the device ---------------------------------------------- */

static struct controller *controller_of(struct inode *inode)
{
	struct controller *c;

	if (IS_ERR_OR_NULL(inode) || IS_ERR_OR_NULL(inode->i_cdev))
		return NULL;
	c = inode->i_cdev->owner_dev;
	if (IS_ERR_OR_NULL(c) || !c->regs)
		return NULL;
	return c;
}

static struct echo *echo_of(struct file *file)
{
	struct echo *dev = file->private_data;

	if (IS_ERR_OR_NULL(dev) || dev->magic != ECHO_MAGIC)
		return NULL;
	return dev;
}

/* ---- entry points ------------------------------------------------------- */

static int echo_open(struct inode *inode, struct file *file)
{
	struct controller *c;
	struct echo *dev;
	int err = 0;

	c = controller_of(inode);
	if (!c)
		return -ENXIO;
	dev = container_of(inode->i_cdev, struct echo, cdev);
	if (dev->magic != ECHO_MAGIC)
		return -ENODEV;
	if (c->ops && c->ops->power) {
		might_sleep();
		err = c->ops->power(c, 1);
		if (err)
			return err;
	}
	if (!kref_get_unless_zero(&dev->ref))
		return -ENODEV;
	if (!mutex_trylock(&dev->lock)) {
		err = -EBUSY;
		goto out_put;
	}
	if (dev->state == ECHO_GONE) {
		err = -ENODEV;
		goto out_unlock;
	}
	dev->users++;
	file->private_data = dev;
	file->f_inode = inode;
	mutex_unlock(&dev->lock);
	return 0;

out_unlock:
	mutex_unlock(&dev->lock);
out_put:
	kref_put(&dev->ref);
	return err;
}

static int echo_release(struct inode *inode, struct file *file)
{
	struct echo *dev = echo_of(file);

	(void)inode;
	if (!dev)
		return -EBADF;
	mutex_lock(&dev->lock);
	if (dev->users > 0)
		dev->users--;
	file->private_data = NULL;
	if (dev->ref.count >= 1)
		kref_put(&dev->ref);
	mutex_unlock(&dev->lock);
	return 0;
}

static long echo_read(struct file *file, unsigned long to, unsigned long count)
{
	struct echo *dev = echo_of(file);
	struct controller *c;
	short chunk[ECHO_CHUNK];
	unsigned int n = 0;
	long err = 0;

	if (!dev)
		return -EBADF;
	c = controller_of(file->f_inode);
	if (!c)
		return -ENXIO;
	mutex_lock(&dev->lock);
	if (dev->state != ECHO_RUNNING) {
		err = -EINVAL;
		goto out;
	}
	ring_check(dev);
	while (dev->head == dev->tail) {
		mutex_unlock(&dev->lock);
		if (file->f_flags & O_NONBLOCK)
			return -EAGAIN;
		might_sleep();
		err = wait_for_data(&dev->readers);
		if (err)
			return err;
		mutex_lock(&dev->lock);
		err = echo_drain(dev, c->regs);
		if (err < 0)
			goto out;
	}
	ring_check(dev);
	while (n < ECHO_CHUNK && n < count && ring_get(dev, &chunk[n]))
		n++;
	mutex_unlock(&dev->lock);
	if (copy_out(to, chunk, n * sizeof(chunk[0])))
		return -EIO;
	return (long)(n * sizeof(chunk[0]));

out:
	mutex_unlock(&dev->lock);
	return err;
}

/*
 * A ping of the caller's is sent, and waits in the chain for its echo.  One
 * that the controller refuses is completed here.
 */
static long echo_write(struct file *file, struct ping *ping)
{
	struct echo *dev = echo_of(file);
	struct controller *c;
	long err = 0;

	if (!dev)
		return -EBADF;
	if (IS_ERR_OR_NULL(ping) || ping->state != PING_NEW)
		return -EINVAL;
	c = controller_of(file->f_inode);
	if (!c)
		return -ENXIO;
	if (file->f_flags & O_NONBLOCK) {
		if (!mutex_trylock(&dev->lock))
			return -EAGAIN;
	} else {
		mutex_lock(&dev->lock);
		/* It may have been sent by others in the meantime. */
		if (ping->state != PING_NEW) {
			err = -EBUSY;
			goto out;
		}
	}
	if (dev->state != ECHO_RUNNING) {
		err = -EINVAL;
		goto out;
	}
	ping->state = PING_WAITING;
	c->regs->ctrl = CTRL_RUN | CTRL_PING;
	if (c->regs->status & STAT_FAULT) {
		ping_complete(ping, PING_CANCELLED, -EIO);
		err = -EIO;
	} else {
		ping->link.next = dev->pings;
		dev->pings = &ping->link;
	}
out:
	mutex_unlock(&dev->lock);
	return err;
}

static unsigned int echo_poll(struct file *file)
{
	struct echo *dev = echo_of(file);
	unsigned int mask = 0;

	if (!dev)
		return POLLERR;
	if (!mutex_trylock(&dev->lock))
		return 0;
	if (dev->state == ECHO_RUNNING) {
		ring_check(dev);
		mask = POLLOUT;
		if (dev->head != dev->tail)
			mask |= POLLIN;
	}
	mutex_unlock(&dev->lock);
	return mask;
}

static long echo_start(struct echo *dev, struct controller *c)
{
	long err = 0;

	mutex_lock(&dev->lock);
	if (dev->state == ECHO_GONE) {
		err = -ENODEV;
	} else if (dev->state == ECHO_IDLE) {
		dev->head = 0;
		dev->tail = 0;
		dev->lost = 0;
		dev->state = ECHO_RUNNING;
		c->regs->ctrl = CTRL_RUN;
		/* What is left from the last time comes first. */
		if (c->regs->status & STAT_DATA)
			err = echo_drain(dev, c->regs);
		if (err < 0)
			dev->state = ECHO_IDLE;
		else
			err = 0;
	}
	mutex_unlock(&dev->lock);
	return err;
}

static long echo_stop(struct echo *dev, struct controller *c)
{
	int cancelled = 0;

	mutex_lock(&dev->lock);
	if (dev->state == ECHO_RUNNING) {
		c->regs->ctrl = 0;
		dev->state = ECHO_IDLE;
		cancelled = pings_end(dev, PING_CANCELLED, -EINTR);
	}
	mutex_unlock(&dev->lock);
	if (cancelled)
		wake_up(&dev->readers);
	return 0;
}

/* The controller's own method takes long, and is called without the lock. */
static long echo_gain(struct echo *dev, struct controller *c, int gain)
{
	int err;

	if (gain < 0 || gain > GAIN_MAX)
		return -EINVAL;
	if (!c->ops || !c->ops->calibrate)
		return -ENOTTY;
	if (!mutex_trylock(&dev->lock))
		return -EAGAIN;
	if (dev->state != ECHO_RUNNING) {
		mutex_unlock(&dev->lock);
		return -EINVAL;
	}
	mutex_unlock(&dev->lock);

	might_sleep();
	err = c->ops->calibrate(c, gain);
	if (err)
		return err;

	mutex_lock(&dev->lock);
	if (dev->state != ECHO_RUNNING) {
		mutex_unlock(&dev->lock);
		return -ENODEV;
	}
	dev->gain = gain;
	/* Samples with the old gain are of no use. */
	err = echo_drain(dev, c->regs);
	dev->head = 0;
	dev->tail = 0;
	mutex_unlock(&dev->lock);
	return err < 0 ? err : 0;
}

static long echo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct echo *dev = echo_of(file);
	struct controller *c;
	unsigned int lost;
	long err;

	if (!dev)
		return -EBADF;
	c = controller_of(file->f_inode);
	if (!c)
		return -ENXIO;
	switch (cmd) {
	case ECHO_START:
		err = echo_start(dev, c);
		break;
	case ECHO_STOP:
		err = echo_stop(dev, c);
		break;
	case ECHO_GAIN:
		err = echo_gain(dev, c, (int)arg);
		break;
	case ECHO_LOST:
		if (!kref_get_unless_zero(&dev->ref))
			return -ENODEV;
		lost = dev->lost;
		dev->lost = 0;
		kref_put(&dev->ref);
		err = put_user(lost, arg);
		break;
	default:
		err = -ENOTTY;
		break;
	}
	return err;
}

/* The interrupt: of our device, or of another on the same line. */
static int echo_interrupt(int irq, void *cookie)
{
	struct echo *dev = cookie;
	struct controller *c;
	unsigned int status;
	int wake = 0;

	if (IS_ERR_OR_NULL(dev) || dev->magic != ECHO_MAGIC)
		return IRQ_NONE;
	c = dev->cdev.owner_dev;
	if (IS_ERR_OR_NULL(c) || c->irq != irq || !c->regs)
		return IRQ_NONE;
	status = c->regs->status;
	if (status == 0 || status == NOBODY)
		return IRQ_NONE;
	if (!mutex_trylock(&dev->lock))
		return IRQ_HANDLED;	/* it will come again */
	if (dev->state == ECHO_RUNNING) {
		if (status & STAT_DATA)
			wake = echo_drain(dev, c->regs) > 0;
		if (status & STAT_FAULT) {
			dev->state = ECHO_IDLE;
			pings_end(dev, PING_CANCELLED, -EIO);
			wake = 1;
		} else if (status & STAT_ECHO) {
			wake += pings_end(dev, PING_DONE, 0);
		}
	}
	mutex_unlock(&dev->lock);
	if (wake)
		wake_up(&dev->readers);
	return IRQ_HANDLED;
}

/* ---- a world that others have made -------------------------------------- */

extern int more_requests(void);
extern struct inode *next_inode(void);
extern struct file *next_file(void);
extern struct ping *next_ping(void);
extern void *next_cookie(void);

static void request(struct inode *inode, struct file *file)
{
	switch (__VERIFIER_nondet_int()) {
	case 0:
		echo_read(file, (unsigned long)__VERIFIER_nondet_int(),
			  (unsigned long)__VERIFIER_nondet_int());
		break;
	case 1:
		echo_write(file, next_ping());
		break;
	case 2:
		echo_poll(file);
		break;
	case 3:
		echo_release(inode, file);
		break;
	default:
		echo_ioctl(file, (unsigned int)__VERIFIER_nondet_int(),
			   (unsigned long)__VERIFIER_nondet_int());
		break;
	}
	assert(lock_held == NULL);
}

/* Files whose memory nobody has set are opened, and only then used. */
static void session(struct inode *inode)
{
	struct file local;
	struct file *file;

	file = __VERIFIER_nondet_int() ? malloc(sizeof(*file)) : &local;
	if (!file)
		return;
	if (echo_open(inode, file) == 0) {
		while (__VERIFIER_nondet_int())
			request(inode, file);
		echo_release(inode, file);
	}
	if (file != &local)
		free(file);
}

int main(void)
{
	struct inode bare;		/* may lead anywhere */
	struct file *file;

	while (more_requests()) {
		switch (__VERIFIER_nondet_int()) {
		case 0:
			file = next_file();
			if (!IS_ERR_OR_NULL(file))
				echo_open(next_inode(), file);
			break;
		case 1:
			session(next_inode());
			break;
		case 2:
			echo_interrupt(__VERIFIER_nondet_int(), next_cookie());
			break;
		case 10:
			session(&bare);
			break;
		default:
			file = next_file();
			if (!IS_ERR_OR_NULL(file))
				request(next_inode(), file);
			break;
		}
		assert(lock_held == NULL);
	}
	return 0;
}
