/*
 * tuner - a radio card whose files may outlive it.
 *
 * The card's data are reference-counted: the driver holds one reference from
 * probe to disconnect, and every open file holds one.  Whoever drops the
 * last one frees the card, through the callback that kref_put() is given.
 *
 * Probing acquires, in this order: memory, registers, a buffer, the
 * interrupt, the device node.  Any step may fail, and then everything
 * acquired so far is given back, in the opposite order.
 *
 * Properties: no reference is taken to, or dropped from, a card that has
 * none; the registers are not touched after they were unmapped; when the
 * probe has failed, or the last reference is gone, nothing is left behind.
 */
#include <assert.h>
#include <stddef.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned int inl(unsigned long port);
extern void outl(unsigned int value, unsigned long port);

#define EIO		5
#define ENOMEM		12
#define EBUSY		16
#define ENODEV		19
#define EINVAL		22

#define TUNER_ID	0x0u
#define TUNER_CTRL	0x4u
#define TUNER_FREQ	0x8u
#define TUNER_STAT	0xcu

#define ID_NOBODY	0xffffffffu	/* an empty bus */
#define CTRL_POWER	0x1u
#define CTRL_MUTE	0x2u
#define STAT_LOCKED	0x1u

#define FREQ_MIN	8750	/* in 10 kHz */
#define FREQ_MAX	10800
#define LOCK_POLLS	3
#define RDS_SIZE	128

struct kref {
	int count;
};

struct tuner {
	struct kref ref;
	unsigned long base;
	int gone;		/* disconnected */
	int frequency;
	int muted;
	unsigned char *rds;
};

/* What the kernel has lent us. */
static int regions;		/* register windows */
static int cards;		/* struct tuner in memory */
static int buffers;		/* RDS buffers in memory */
static int irqs;
static int nodes;

/* ---- kernel services --------------------------------------------------- */

static void kref_init(struct kref *k)
{
	k->count = 1;
}

static void kref_get(struct kref *k)
{
	assert(k->count >= 1);
	k->count++;
}

/* Returns 1 if that was the last reference. */
static int kref_put(struct kref *k, void (*release)(struct kref *))
{
	assert(k->count >= 1);
	k->count--;
	if (k->count > 0)
		return 0;
	release(k);
	return 1;
}

static int request_region(unsigned long base)
{
	if (base == 0 || __VERIFIER_nondet_int())
		return -EBUSY;
	assert(regions == 0);
	regions = 1;
	return 0;
}

static void release_region(void)
{
	assert(regions == 1);
	regions = 0;
}

static int request_irq(void)
{
	if (__VERIFIER_nondet_int())
		return -EBUSY;
	assert(irqs == 0);
	irqs = 1;
	return 0;
}

static void free_irq(void)
{
	assert(irqs == 1);
	irqs = 0;
}

static int register_node(void)
{
	if (__VERIFIER_nondet_int())
		return -ENODEV;
	assert(nodes == 0);
	nodes = 1;
	return 0;
}

static void unregister_node(void)
{
	assert(nodes == 1);
	nodes = 0;
}

/* ---- registers --------------------------------------------------------- */

static unsigned int tuner_read(struct tuner *t, unsigned int reg)
{
	assert(regions == 1);
	return inl(t->base + reg);
}

static void tuner_write(struct tuner *t, unsigned int reg, unsigned int v)
{
	assert(regions == 1);
	outl(v, t->base + reg);
}

static int tuner_tune(struct tuner *t, int freq)
{
	int polls;

	if (freq < FREQ_MIN || freq > FREQ_MAX)
		return -EINVAL;
	tuner_write(t, TUNER_FREQ, (unsigned int)freq);
	for (polls = 0; polls < LOCK_POLLS; polls++) {
		if (tuner_read(t, TUNER_STAT) & STAT_LOCKED) {
			t->frequency = freq;
			return 0;
		}
	}
	return -EIO;
}

static void tuner_mute(struct tuner *t, int mute)
{
	t->muted = mute;
	tuner_write(t, TUNER_CTRL, mute ? CTRL_POWER | CTRL_MUTE : CTRL_POWER);
}

/* ---- the life of a card ------------------------------------------------ */

static struct tuner *tuner_alloc(void)
{
	struct tuner *t;

	t = malloc(sizeof(*t));
	if (!t)
		return NULL;
	cards++;
	t->gone = 0;
	t->frequency = FREQ_MIN;
	t->muted = 1;
	t->rds = NULL;
	return t;
}

static void tuner_free(struct tuner *t)
{
	assert(cards == 1);
	cards--;
	free(t);
}

static int tuner_alloc_rds(struct tuner *t)
{
	t->rds = malloc(RDS_SIZE);
	if (!t->rds)
		return -ENOMEM;
	buffers++;
	return 0;
}

static void tuner_free_rds(struct tuner *t)
{
	assert(buffers == 1);
	buffers--;
	free(t->rds);
	t->rds = NULL;
}

/* Called by kref_put() when the last reference is dropped. */
static void tuner_release(struct kref *k)
{
	struct tuner *t;

	t = (struct tuner *)((char *)k - offsetof(struct tuner, ref));
	tuner_free_rds(t);
	tuner_free(t);
}

static int tuner_check_id(struct tuner *t)
{
	if (tuner_read(t, TUNER_ID) == ID_NOBODY)
		return -ENODEV;
	return 0;
}

static int tuner_probe(unsigned long base, struct tuner **result)
{
	struct tuner *t;
	int err;

	t = tuner_alloc();
	if (!t)
		return -ENOMEM;
	t->base = base;

	err = request_region(base);
	if (err)
		goto err_free;
	err = tuner_check_id(t);
	if (err)
		goto err_region;
	err = tuner_alloc_rds(t);
	if (err)
		goto err_region;
	err = request_irq();
	if (err)
		goto err_rds;
	kref_init(&t->ref);
	err = register_node();
	if (err)
		goto err_irq;
	tuner_mute(t, 1);
	*result = t;
	return 0;

err_irq:
	free_irq();
err_rds:
	tuner_free_rds(t);
err_region:
	release_region();
err_free:
	tuner_free(t);
	return err;
}

/* The card is pulled: it goes at once, its data when the last file closes. */
static int tuner_disconnect(struct tuner *t)
{
	int last;

	unregister_node();
	tuner_mute(t, 1);
	t->gone = 1;
	free_irq();
	release_region();
	last = kref_put(&t->ref, tuner_release);
	return last;
}

/* ---- files ------------------------------------------------------------- */

static int tuner_open(struct tuner *t)
{
	int err = 0;

	kref_get(&t->ref);
	if (t->gone) {
		err = -ENODEV;
		goto out_put;
	}
	if (t->frequency == FREQ_MIN) {
		/* The first one to open it finds the first station. */
		err = tuner_tune(t, FREQ_MIN + 20);
		if (err)
			return err;
	}
	tuner_mute(t, 0);
	return 0;

out_put:
	kref_put(&t->ref, tuner_release);
	return err;
}

static int tuner_close(struct tuner *t)
{
	int last;

	if (!t->gone)
		tuner_mute(t, 1);
	last = kref_put(&t->ref, tuner_release);
	return last;
}

static int tuner_ioctl(struct tuner *t, int freq)
{
	if (t->gone)
		return -ENODEV;
	if (freq == 0) {
		tuner_mute(t, !t->muted);
		return 0;
	}
	return tuner_tune(t, freq);
}

/* ---- a nondeterministic world ------------------------------------------ */

static void check_nothing_left(void)
{
	assert(cards == 0);
	assert(buffers == 0);
	assert(regions == 0);
	assert(irqs == 0);
	assert(nodes == 0);
}

int main(void)
{
	struct tuner *t;
	int users = 0;
	int plugged = 1;

	if (tuner_probe((unsigned long)__VERIFIER_nondet_int(), &t)) {
		check_nothing_left();
		return 0;
	}
	while (plugged + users > 0) {
		switch (__VERIFIER_nondet_int()) {
		case 0:
			/* A name lookup may still win against the removal. */
			if (tuner_open(t) == 0)
				users++;
			break;
		case 1:
			if (users > 0)
				tuner_ioctl(t, __VERIFIER_nondet_int());
			break;
		case 2:
			if (plugged) {
				plugged = 0;
				tuner_disconnect(t);
			}
			break;
		default:
			if (users > 0) {
				users--;
				tuner_close(t);
			}
			break;
		}
	}
	check_nothing_left();
	return 0;
}
