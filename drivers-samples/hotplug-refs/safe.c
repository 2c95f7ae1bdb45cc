/*
 * hpdisk - reference counting of a hot-pluggable disk.
 *
 * The disk object is born with one reference, the driver's own.  Every open
 * file holds one more.  Unplugging the disk drops the driver's reference; the
 * last reference frees the object, which may be long after the unplugging,
 * when the last file is closed.
 *
 * Properties: no reference is taken on a freed object and none dropped that
 * was not held; no I/O on a freed object; and once the disk is gone and all
 * files are closed, the object has been freed (no leak).
 */
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned int inl(unsigned int port);
extern void outl(unsigned int value, unsigned int port);

#define EIO		5
#define ENODEV		19
#define EROFS		30

#define HP_CMD		0x1f0u
#define HP_STATUS	0x1f4u
#define HP_SPIN_UP	0xe1u
#define HP_SPIN_DOWN	0xe0u
#define HP_ST_READY	0x40u
#define HP_ST_WPROT	0x02u

#define SPIN_UP_TRIES	20

typedef enum {
	FMODE_READ = 1,
	FMODE_WRITE = 2
} fmode_t;

static int refs;		/* references to the disk object */
static int gone;		/* unplugged */
static int freed;		/* the object has been given back */

static void hpdisk_get(void)
{
	assert(!freed);
	refs = refs + 1;
}

static void hpdisk_put(void)
{
	assert(refs >= 1);
	refs = refs - 1;
	if (refs == 0) {
		outl(HP_SPIN_DOWN, HP_CMD);
		freed = 1;
	}
}

static int hpdisk_spin_up(void)
{
	int tries;

	outl(HP_SPIN_UP, HP_CMD);
	for (tries = 0; tries < SPIN_UP_TRIES; tries++) {
		if (inl(HP_STATUS) & HP_ST_READY)
			return 0;
	}
	return -EIO;
}

static int hpdisk_write_protected(void)
{
	return (inl(HP_STATUS) & HP_ST_WPROT) != 0;
}

/* On success the caller's file owns a reference; on failure it owns none. */
static int hpdisk_open(int mode)
{
	int err = 0;

	if (gone) {
		err = -ENODEV;
		goto out;
	}

	hpdisk_get();

	err = hpdisk_spin_up();
	if (err)
		goto out_put;

	if (mode == FMODE_WRITE && hpdisk_write_protected()) {
		err = -EROFS;
		goto out_put;
	}

	return err;

out_put:
	hpdisk_put();
out:
	return err;
}

static void hpdisk_release(void)
{
	hpdisk_put();
}

static int hpdisk_rw(unsigned int sector)
{
	assert(!freed);
	if (gone)
		return -ENODEV;
	outl(sector, HP_CMD);
	if (!(inl(HP_STATUS) & HP_ST_READY))
		return -EIO;
	return 0;
}

static void hpdisk_probe(void)
{
	refs = 1;
	gone = 0;
	freed = 0;
}

static void hpdisk_disconnect(void)
{
	if (gone)
		return;
	gone = 1;
	hpdisk_put();
}

int main(void)
{
	int users = 0;			/* open files */
	int err;

	hpdisk_probe();

	while (__VERIFIER_nondet_int()) {
		switch (__VERIFIER_nondet_int()) {
		case 0:
			err = hpdisk_open(__VERIFIER_nondet_int());
			if (!err)
				users = users + 1;
			break;
		case 1:
			if (users > 0) {
				hpdisk_release();
				users = users - 1;
			}
			break;
		case 2:
			if (users > 0)
				hpdisk_rw(inl(HP_STATUS));
			break;
		case 3:
			hpdisk_disconnect();
			break;
		default:
			break;
		}
		if (gone && users == 0)
			assert(freed);
	}
	return 0;
}
