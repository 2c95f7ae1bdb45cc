/*
 * nullness - private data come and go.
 *
 * A device has private data from attach() to detach(), and they may be moved
 * to the other device.  The lookup of a device, the hardware and malloc() may
 * all fail.
 *
 * Property: whoever follows the pointer to the private data has some.
 *
 * The watch is one of the devices, either; watch_has_priv tells whether it has
 * private data, and is asserted where those of the watch are used.
 */
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

#define EIO	5
#define ENOMEM	12
#define EBUSY	16

struct priv {
	int running;
};

struct dev {
	struct priv *priv;
};

static struct dev disk, tape;

static struct dev *watch;	/* one device, any */
static int watch_has_priv;	/* whether it has private data */

static void dev_set_priv(struct dev *d, struct priv *p)
{
	d->priv = p;
	if (d == watch)
		watch_has_priv = p != NULL;
}

static struct dev *lookup(int id)
{
	switch (id) {
	case 0:
		return &disk;
	case 1:
		return &tape;
	default:
		return NULL;
	}
}

static int attach(struct dev *d)
{
	struct priv *p;

	if (d->priv)
		return -EBUSY;
	if (__VERIFIER_nondet_int())
		return -EIO;		/* nobody there */
	p = malloc(sizeof(*p));
	if (!p)
		return -ENOMEM;
	p->running = 0;
	dev_set_priv(d, p);
	return 0;
}

static void detach(struct dev *d)
{
	free(d->priv);
	dev_set_priv(d, NULL);
}

static void dev_start(struct dev *d)
{
	assert(d != watch || watch_has_priv);
	d->priv->running = 1;
}

static void dev_stop(struct dev *d)
{
	assert(d != watch || watch_has_priv);
	d->priv->running = 0;
}

/* The other device takes the private data over. */
static void dev_move(struct dev *from, struct dev *to)
{
	if (!from->priv || to->priv)
		return;
	dev_stop(from);
	dev_set_priv(to, from->priv);
	dev_set_priv(from, NULL);
	dev_start(to);
}

int main(void)
{
	struct dev *d, *other;
	int err;

	watch = __VERIFIER_nondet_int() ? &disk : &tape;
	while (__VERIFIER_nondet_int()) {
		d = lookup(__VERIFIER_nondet_int());
		if (!d)
			continue;
		switch (__VERIFIER_nondet_int()) {
		case 0:
			err = attach(d);
			if (err != 0)
				break;
			dev_start(d);
			break;
		case 1:
			if (d->priv)
				dev_stop(d);
			break;
		case 2:
			detach(d);
			break;
		default:
			other = lookup(__VERIFIER_nondet_int());
			if (other)
				dev_move(d, other);
			break;
		}
	}
	return 0;
}
