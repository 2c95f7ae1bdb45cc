/*
 * devman - a bus manager: who drives what.
 *
 * A bus keeps its devices on three lists, linked through a node in each
 * device: those that wait for a driver, those that have one, and those that
 * no driver wanted.  The manager walks the first list, looks each device up
 * in a table, lets the driver probe it, and moves it to one of the others.
 * It keeps a record of what it has bound, so that it can be undone again, the
 * last one first.
 *
 * The manager makes no bus and no device: all lists are in memory of somebody
 * else's.  One may be empty or broken, or lead round in a circle, or hold one
 * device twice; two buses may be one; a table of methods may be missing, or
 * lack some of them.  Whoever is called may change all that meanwhile.  So
 * the manager looks before it follows, gives up after MAX_WALK devices, and
 * keeps to itself what it has to rely on: its record, its count, its lock.
 *
 * Properties:
 *   - a node that was put on a list is its first, and says so;
 *   - a device is claimed for a driver that has its vendor in the table, and
 *     still has that vendor when it has been written to;
 *   - a device that is given up has no driver;
 *   - the lock of a bus is released only when it is held, and so is that of
 *     the manager, which is taken only when it is not;
 *   - a count is within its limit, however long the list is;
 *   - the record is written within its bounds, and has as many entries as
 *     devices are bound.
 */
#include <assert.h>
#include <stddef.h>

extern int __VERIFIER_nondet_int(void);

#define EBUSY		16
#define ENODEV		19
#define ENOSPC		28
#define MAX_ERRNO	4095

#define MAX_WALK	32
#define MAX_RECORDS	8
#define MAX_COUNT	1000
#define FAST		480

#define NOTE_WAITING	1
#define NOTE_BOUND	2
#define NOTE_FAILED	3

#define container_of(p, type, member) \
	((type *)((char *)(p) - offsetof(type, member)))

/* ---- what is there ----------------------------------------------------- */

struct node {
	struct node *next, *prev;
};

struct list {
	struct node *first;
};

struct bus;
struct device;

struct window {
	unsigned long start;
	int size;
};

struct resources {
	int num_windows;
	struct window *window;
};

struct device_ops {
	int (*reset)(struct device *dev);
	int (*wake)(struct device *dev);
};

enum { DEV_IDLE, DEV_BINDING, DEV_BOUND, DEV_FAILED };

struct device {
	int vendor;
	int product;
	int state;
	int driver;			/* its number, 0 if there is none */
	short seen;
	struct node node;
	struct bus *bus;
	const struct device_ops *ops;
	struct resources *res;
};

struct bus_ops {
	int (*power)(struct bus *bus, int on);
	void (*changed)(struct bus *bus);
	int (*speed)(void);
};

struct bus {
	unsigned long lock;
	struct list waiting;
	struct list bound;
	struct list failed;
	const struct bus_ops *ops;
	int last_count;
};

struct bus *next_bus(void);
struct device *next_device(void);
void note(int what, int which);

static int is_bad(const void *p)
{
	unsigned long a = (unsigned long)p;

	return a == 0 || a >= (unsigned long)-MAX_ERRNO;
}

/* ---- lists ------------------------------------------------------------- */

/* The first node of a list is its own predecessor. */

static void list_del(struct node *n, struct list *list)
{
	if (n->prev == n || is_bad(n->prev)) {
		list->first = n->next;
		if (!is_bad(n->next))
			n->next->prev = n->next;
		return;
	}
	n->prev->next = n->next;
	if (!is_bad(n->next))
		n->next->prev = n->prev;
}

static void list_add(struct node *n, struct list *list)
{
	struct node *first = list->first;

	if (!is_bad(first))
		first->prev = n;
	n->next = first;
	n->prev = n;
	list->first = n;
	assert(list->first == n && n->prev == n);
}

static void list_move(struct node *n, struct list *from, struct list *to)
{
	list_del(n, from);
	list_add(n, to);
}

/* ---- locks ------------------------------------------------------------- */

/*
 * The lock of a bus is for looking at its devices and for claiming one: it
 * is not held when nodes are moved, which only the manager does, under a lock
 * of its own.
 */

static int bus_trylock(struct bus *bus)
{
	if (bus->lock)
		return 0;
	bus->lock = 1;
	return 1;
}

static void bus_unlock(struct bus *bus)
{
	assert(bus->lock == 1);
	bus->lock = 0;
}

static int moving;

static void move_lock(void)
{
	assert(!moving);
	moving = 1;
}

static void move_unlock(void)
{
	assert(moving);
	moving = 0;
}

/* ---- drivers ----------------------------------------------------------- */

struct id {
	int vendor;
	int product;			/* 0 for any */
	int driver;
};

#define NUM_IDS		4

static const struct id ids[NUM_IDS] = {
	{ 0x11, 0x100, 1 },
	{ 0x11, 0x101, 1 },
	{ 0x22, 0, 2 },
	{ 0x33, 0x7, 2 },
};

static int reset(struct device *dev)
{
	if (is_bad(dev->ops) || !dev->ops->reset)
		return 0;
	return dev->ops->reset(dev);
}

/* A disk has to have a window of registers that is large enough. */
static int disk_probe(struct device *dev)
{
	int i;

	if (is_bad(dev->res) || is_bad(dev->res->window))
		return -ENODEV;
	for (i = 0; i < dev->res->num_windows; i++)
		if (dev->res->window[i].size >= 64)
			return reset(dev);
	return -ENODEV;
}

static int net_probe(struct device *dev)
{
	int err;

	err = reset(dev);
	if (err)
		return err;
	if (is_bad(dev->ops) || !dev->ops->wake)
		return -ENODEV;
	return dev->ops->wake(dev);
}

struct driver {
	int (*probe)(struct device *dev);
};

static const struct driver drivers[2] = {
	{ disk_probe },
	{ net_probe },
};

/* ---- the record of what is bound --------------------------------------- */

struct record {
	struct device *dev;
	int driver;
};

static struct record records[MAX_RECORDS];
static int used;
static int total;

static int record_find(const struct device *dev)
{
	int i;

	for (i = 0; i < used; i++)
		if (records[i].dev == dev)
			return i;
	return -1;
}

static void record_add(struct device *dev, int driver)
{
	assert(used < MAX_RECORDS);
	records[used].dev = dev;
	records[used].driver = driver;
	used++;
}

/* The last one takes its place. */
static void record_del(int i)
{
	used--;
	records[i] = records[used];
}

/* ---- binding ----------------------------------------------------------- */

static void claim(struct device *dev, int driver, int vendor)
{
	dev->state = DEV_BINDING;
	dev->driver = driver;
	dev->seen++;
	assert(dev->vendor == vendor);
}

/* The number of the driver that has it in its table, or 0. */
static int match(struct device *dev)
{
	int i;

	dev->driver = 0;
	for (i = 0; i < NUM_IDS; i++) {
		int vendor = ids[i].vendor;

		if (vendor != dev->vendor)
			continue;
		if (ids[i].product && ids[i].product != dev->product)
			continue;
		claim(dev, ids[i].driver, vendor);
		return ids[i].driver;
	}
	return 0;
}

static void give_up(struct bus *bus, struct device *dev)
{
	assert(dev->driver == 0);
	dev->state = DEV_FAILED;
	list_move(&dev->node, &bus->waiting, &bus->failed);
}

static void bound(struct bus *bus, struct device *dev, int driver)
{
	list_move(&dev->node, &bus->waiting, &bus->bound);
	dev->driver = driver;
	dev->state = DEV_BOUND;
	record_add(dev, driver);
	total++;
}

/* The first device that waits, and that has not been bound already. */
static struct device *first_waiting(struct bus *bus)
{
	struct node *n = bus->waiting.first;
	int steps;

	for (steps = 0; steps < MAX_WALK; steps++) {
		struct device *dev;

		if (is_bad(n))
			return NULL;
		dev = container_of(n, struct device, node);
		if (dev->state == DEV_IDLE && record_find(dev) < 0)
			return dev;
		n = n->next;
	}
	return NULL;
}

/* Looks for a driver for one device. */
static int bind_one(struct bus *bus)
{
	struct device *dev;
	int driver, err;

	if (used >= MAX_RECORDS)
		return -ENOSPC;
	if (!bus_trylock(bus))
		return -EBUSY;
	dev = first_waiting(bus);
	if (!dev) {
		bus_unlock(bus);
		return -ENODEV;
	}
	driver = match(dev);
	bus_unlock(bus);

	if (driver)
		err = drivers[driver - 1].probe(dev);
	else
		err = -ENODEV;

	move_lock();
	if (err == 0) {
		bound(bus, dev, driver);
	} else {
		dev->driver = 0;
		give_up(bus, dev);
	}
	move_unlock();
	return err;
}

/* Binds what there is on a bus, and tells it. */
static void rescan(struct bus *bus)
{
	int n = 0;

	while (n < MAX_WALK && bind_one(bus) == 0)
		n++;
	if (n > 0 && !is_bad(bus->ops) && bus->ops->changed)
		bus->ops->changed(bus);
}

/* Suspends a bus, or resumes it; a fast one is not worth it. */
static int set_power(struct bus *bus, int on)
{
	if (is_bad(bus->ops) || !bus->ops->power)
		return -ENODEV;
	if (bus->ops->speed && bus->ops->speed() > FAST)
		return 0;
	return bus->ops->power(bus, on);
}

/* Puts a device on a bus, from where it is looked at by the next scan. */
static int announce(struct bus *bus, struct device *dev)
{
	if (record_find(dev) >= 0)
		return -EBUSY;
	dev->bus = bus;
	dev->state = DEV_IDLE;
	dev->driver = 0;
	move_lock();
	list_add(&dev->node, &bus->waiting);
	move_unlock();
	return 0;
}

/* How many devices a list has, as far as that can be said. */
static int count(const struct list *list)
{
	const struct node *n = list->first;
	int found;

	for (found = 0; found < MAX_COUNT; found++) {
		if (is_bad(n))
			break;
		n = n->next;
	}
	assert(found <= MAX_COUNT);
	return found;
}

static void report(struct bus *bus)
{
	bus->last_count = count(&bus->waiting);
	note(NOTE_WAITING, bus->last_count);
	note(NOTE_BOUND, count(&bus->bound));
	note(NOTE_FAILED, count(&bus->failed));
}

/* A device is pulled out: nobody is asked. */
static void gone(struct device *dev)
{
	int i;

	for (i = 0; i < used; i++) {
		if (records[i].dev != dev)
			continue;
		record_del(i);
		total--;
		if (is_bad(dev->bus))
			return;
		move_lock();
		list_del(&dev->node, &dev->bus->bound);
		move_unlock();
		return;
	}
}

static void unbind_last(void)
{
	struct device *dev;

	if (used <= 0)
		return;
	used--;
	total--;
	assert(total == used);
	dev = records[used].dev;
	records[used].dev = NULL;
	dev->driver = 0;
	dev->state = DEV_IDLE;
	if (is_bad(dev->bus))
		return;
	move_lock();
	list_move(&dev->node, &dev->bus->bound, &dev->bus->waiting);
	move_unlock();
}

int main(void)
{
	struct bus spare;
	struct device *dev;
	struct bus *bus;

	for (;;) {
		bus = next_bus();
		if (is_bad(bus))
			return 0;
		switch (__VERIFIER_nondet_int()) {
		case 0:
			bind_one(bus);
			break;
		case 1:
			rescan(bus);
			break;
		case 2:
			dev = next_device();
			if (!is_bad(dev))
				announce(bus, dev);
			break;
		case 3:
			unbind_last();
			break;
		case 4:
			dev = next_device();
			gone(dev);
			break;
		case 5:
			report(bus);
			break;
		case 6:
			set_power(bus, __VERIFIER_nondet_int());
			break;
		case 8:
			bind_one(&spare);
			break;
		default:
			break;
		}
	}
}
