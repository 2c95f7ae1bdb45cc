/*
 * An environment for devman: two buses, twelve devices, and a sequence of
 * events that looks random and is the same in each run.
 */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#define ROUNDS		4000
#define NUM_DEVICES	12
#define EVENTS		7	/* 0 to 6: those with objects that are set */

/* As in safe.c. */
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

struct device {
	int vendor;
	int product;
	int state;
	int driver;
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

enum { DEV_IDLE, DEV_BINDING, DEV_BOUND, DEV_FAILED };

static struct bus *buses[2];
static struct device *devices[NUM_DEVICES];
static unsigned int seed = 1;
static int rounds;
static int resets, wakes, changes, powers, notes, repairs;

static unsigned int rnd(unsigned int n)
{
	seed = seed * 1103515245u + 12345u;
	return (seed >> 16) % n;
}

int __VERIFIER_nondet_int(void)
{
	return (int)rnd(EVENTS);
}

static int reset(struct device *dev)
{
	resets++;
	return dev->seen % 4 == 3 ? -5 : 0;
}

static int wake(struct device *dev)
{
	(void)dev;
	wakes++;
	return 0;
}

static int power(struct bus *bus, int on)
{
	(void)bus;
	powers += on;
	return 0;
}

static void changed(struct bus *bus)
{
	(void)bus;
	changes++;
}

static int speed(void)
{
	return rnd(2) ? 12 : 5000;
}

static const struct device_ops full = { reset, wake };
static const struct device_ops half = { reset, NULL };
static const struct bus_ops bus_ops = { power, changed, speed };

static void *get(size_t size)
{
	void *p = calloc(1, size);

	if (!p)
		exit(1);
	return p;
}

static void make_device(int i)
{
	static const int vendor[4] = { 0x11, 0x22, 0x33, 0x44 };
	static const int product[4] = { 0x100, 0x5, 0x7, 0x1 };
	struct device *d = get(sizeof(*d));

	d->vendor = vendor[i % 4];
	d->product = product[i % 4];
	if (i % 5 != 4)
		d->ops = i % 3 == 2 ? &half : &full;
	if (i != 4) {
		d->res = get(sizeof(*d->res));
		d->res->num_windows = 2;
		d->res->window = get(2 * sizeof(struct window));
		d->res->window[1].size = i == 8 ? 16 : 256;
	}
	devices[i] = d;
}

static void make(void)
{
	int i;

	for (i = 0; i < 2; i++)
		buses[i] = get(sizeof(struct bus));
	buses[0]->ops = &bus_ops;
	for (i = 0; i < NUM_DEVICES; i++)
		make_device(i);
}

static int length(const struct list *list)
{
	const struct node *n;
	int found = 0;

	for (n = list->first; n; n = n->next)
		found++;
	return found;
}

struct bus *next_bus(void)
{
	int i;

	if (rounds == 0)
		make();
	if (rounds++ < ROUNDS)
		return buses[rnd(2)];
	printf("resets %d, wakes %d, changes %d, power %d, notes %d, repairs %d\n",
	       resets, wakes, changes, powers, notes, repairs);
	for (i = 0; i < 2; i++)
		printf("bus %d: %d wait, %d bound, %d failed\n", i,
		       length(&buses[i]->waiting), length(&buses[i]->bound),
		       length(&buses[i]->failed));
	return NULL;
}

/* Takes it off the list of those that have failed. */
static void repair(struct device *d)
{
	struct node *n = &d->node, *next = n->next;

	if (n->prev == n) {
		d->bus->failed.first = next;
		if (next)
			next->prev = next;
	} else {
		n->prev->next = next;
		if (next)
			next->prev = n->prev;
	}
	n->next = n->prev = NULL;
	d->state = DEV_IDLE;
	repairs++;
}

/* One that is on no list, or one that is bound, or an error. */
struct device *next_device(void)
{
	struct device *d = devices[rnd(NUM_DEVICES)];

	if (d->state == DEV_FAILED && rnd(2))
		repair(d);
	if (d->state == DEV_BOUND || !d->node.prev)
		return d;
	return rnd(2) ? NULL : (struct device *)-19L;
}

void note(int what, int which)
{
	notes += what > 0 && which >= 0;
}
