/*
 * An environment for echo: five devices on four controllers, files that are
 * shared, open or not, and pings, some handed in twice.  Run as
 *
 *     gcc -o echo safe.c env.c && ./echo
 *
 * The numbers are pseudo-random, and the same in each run.  As C asks of
 * functions that are not given them, objects that were handed out change only
 * in calls that reach them, but for registers, which are volatile.
 */
#include <stddef.h>
#include <stdlib.h>

#define ECHO_MAGIC	0x45434f31u
#define ECHO_RING	64
#define container_of(ptr, type, member) \
	((type *)((char *)(ptr) - offsetof(type, member)))

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

#define DEVICES		5
#define CONTROLLERS	4
#define FILES		8
#define PINGS		64
#define REQUESTS	200000

static unsigned long seed = 4711;
static long round_no;

static struct echo_regs regs[CONTROLLERS];
static struct controller controllers[CONTROLLERS];
static struct echo devices[DEVICES];
static struct inode inodes[DEVICES + 2];
static struct file files[FILES];
static struct ping *pings[PINGS];

static unsigned int rnd(unsigned int n)
{
	seed = seed * 1103515245u + 12345u;
	return (unsigned int)(seed >> 16) % n;
}

/* What sleeps or calls a method may find the device stopped, or gone. */
static void meanwhile(struct echo *dev)
{
	if (rnd(8) == 0)
		dev->state = rnd(20) ? ECHO_IDLE : ECHO_GONE;
	else if (rnd(4) == 0)
		dev->state = ECHO_RUNNING;
}

static int power(struct controller *c, int on)
{
	int i;

	for (i = 0; i < DEVICES; i++)
		if (devices[i].cdev.owner_dev == c && on) {
			if (devices[i].ref.count < 1)
				devices[i].ref.count = 1;
			if (devices[i].state == ECHO_GONE && rnd(2))
				devices[i].state = ECHO_IDLE;
		}
	return rnd(16) == 0 ? -5 : 0;
}

static int calibrate(struct controller *c, int gain)
{
	int i;

	for (i = 0; i < DEVICES; i++)
		if (devices[i].cdev.owner_dev == c)
			meanwhile(&devices[i]);
	return gain == 6 ? -22 : 0;
}

static const struct controller_ops full = { power, calibrate };
static const struct controller_ops partial = { NULL, calibrate };

static void setup(void)
{
	int i;

	for (i = 0; i < CONTROLLERS; i++) {
		controllers[i].ops = i == 0 ? &full : i == 1 ? &partial : NULL;
		controllers[i].regs = i == 3 ? NULL : &regs[i];
		controllers[i].irq = i;
	}
	for (i = 0; i < DEVICES; i++) {
		struct echo *d = &devices[i];

		d->magic = i == 4 ? 0 : ECHO_MAGIC;
		d->ref.count = i == 2 ? 0 : 1;
		d->head = i == 1 ? 77 : 3;
		d->tail = 3;
		d->state = ECHO_IDLE;
		/* Two devices share the first controller. */
		d->cdev.owner_dev = i ? &controllers[i - 1] : &controllers[0];
		inodes[i].i_cdev = &d->cdev;
	}
	inodes[DEVICES].i_cdev = NULL;
	inodes[DEVICES + 1].i_cdev = &devices[0].cdev;	/* a second name */
	for (i = 0; i < FILES; i++) {
		files[i].f_flags = i & 1 ? 0x800u : 0;
		files[i].f_inode = &inodes[i % (DEVICES + 2)];
		files[i].private_data = i & 2 ? &devices[i % DEVICES] : NULL;
	}
}

int more_requests(void)
{
	if (round_no == 0)
		setup();
	return round_no++ < REQUESTS;
}

int __VERIFIER_nondet_int(void)
{
	struct echo_regs *r = &regs[rnd(CONTROLLERS)];

	r->status = rnd(20) == 0 ? 0xffffffffu : rnd(12) ? rnd(4) : rnd(8);
	r->level = rnd(30) == 0 ? 0xffffffffu : rnd(12);
	r->data = rnd(4096);
	return (int)rnd(7);
}

struct inode *next_inode(void)
{
	unsigned int i = rnd(DEVICES + 4);

	if (i == DEVICES + 2)
		return NULL;
	if (i == DEVICES + 3)
		return (struct inode *)-6L;
	return &inodes[i];
}

struct file *next_file(void)
{
	unsigned int i = rnd(FILES + 2);

	if (i == FILES)
		return NULL;
	if (i == FILES + 1)
		return (struct file *)-9L;
	return &files[i];
}

struct ping *next_ping(void)
{
	unsigned int i = rnd(PINGS);

	if (i == 0)
		return NULL;
	if (!pings[i] || rnd(4))
		pings[i] = calloc(1, sizeof(*pings[i]));
	return pings[i];
}

void *next_cookie(void)
{
	unsigned int i = rnd(DEVICES + 1);

	return i == DEVICES ? NULL : &devices[i];
}

void sleep_on_mutex(struct mutex *m)
{
	m->held = 0;
}

int wait_for_data(struct wait_queue *q)
{
	struct echo *dev = container_of(q, struct echo, readers);

	q->sleepers++;
	meanwhile(dev);
	q->sleepers--;
	return rnd(6) == 0 ? -4 : 0;
}

void wake_up(struct wait_queue *q)
{
	struct echo *dev = container_of(q, struct echo, readers);

	if (q->sleepers > 0)
		dev->lost = 0;
}

unsigned long copy_out(unsigned long to, const void *from, unsigned long n)
{
	(void)from;
	return to == 0 ? n : 0;
}

int put_user(unsigned int value, unsigned long to)
{
	(void)value;
	return to == 0 ? -14 : 0;
}
