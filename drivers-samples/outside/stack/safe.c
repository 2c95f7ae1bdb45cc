/*
 * stack - a volume filter that holds writes back while a snapshot is made.
 *
 * The filter sits in a stack of devices.  Requests come from above, in frames:
 * one for each device that is to have a part in it.  What the filter does not
 * answer itself it hands to the device below, ext->lower, through the table
 * of the driver there.  While a volume is frozen its writes are parked with the
 * system; when it is thawed they are asked for again, and go down.
 *
 * Nothing of this memory is ours.  Devices, extensions, requests, frames, and
 * zones are made by others, and nobody initialises them here: any pointer in
 * them may be null or lead to what we know already, the extension of one
 * volume may be that of another, and a device that is looked up may be an
 * error code.  So each entry point looks at what it is given before it
 * believes it, and believes nothing any more once somebody else was called.
 *
 * Properties: a request is given away by the filter only if it has it, and
 * each that is dispatched meets one fate (completed, held, or sent down);
 * nobody is called with a lock held, and none is released that is not held; writes are held on a frozen volume only; the
 * zone that counts a write is the one it goes to; of the devices below no
 * more are noted down than there is room for.
 */
#include <assert.h>
#include <stddef.h>

extern int __VERIFIER_nondet_int(void);

#define EIO		5
#define EAGAIN		11
#define EBUSY		16
#define ENODEV		19
#define EINVAL		22
#define ENOSPC		28
#define EOPNOTSUPP	95

#define SENT		1	/* no error, but no answer either */
#define MAX_ERROR	4095

#define MAX_HELD	64	/* writes held back */
#define MAX_DEPTH	4	/* devices below us that are asked */

enum major {
	MJ_OPEN,
	MJ_CLOSE,
	MJ_READ,
	MJ_WRITE,
	MJ_CONTROL,
	MJ_POWER,
	MJ_PLUG,
	MAJORS
};

enum control {
	CT_FREEZE,
	CT_THAW,
	CT_DEPTH,
	CT_WRITES
};

enum power {
	PW_WAKE,
	PW_SLEEP
};

enum plug {
	PL_START,
	PL_STOP,
	PL_REMOVE
};

/* Who may touch a request. */
enum owner {
	OWNER_ABOVE,
	OWNER_FILTER,
	OWNER_HELD,
	OWNER_LOWER,
	OWNER_NOBODY
};

enum state {
	ST_ADDED,
	ST_STARTED,
	ST_STOPPED,
	ST_REMOVED
};

struct device;
struct request;

struct driver {
	const char *name;
	int (*major[MAJORS])(struct device *dev, struct request *req);
};

/* A part of a volume, of which we are to say how much is written to it. */
struct zone {
	struct zone *next;
	unsigned long first;
	unsigned long blocks;
	unsigned long writes;
};

struct extension {
	struct device *self;
	struct device *lower;
	short locked;
	short state;			/* enum state */
	short frozen;
	short asleep;
	long opens;
	long held;			/* writes that are parked */
	struct zone *zones;
};

struct device {
	struct driver *driver;
	struct extension *ext;
};

/* What one device of the stack is asked to do. */
struct frame {
	struct frame *above;
	struct frame *below;
	enum major major;
	int minor;
	unsigned long block;
	int (*done)(struct device *dev, struct request *req, void *context);
	void *context;
};

struct request {
	enum owner owner;
	int status;
	unsigned long information;
	struct frame *frame;	/* of the device that has the request now */
};

/* What the rest of the system has for us. */
extern struct device *next_device(void);
extern struct request *next_request(struct device *dev);
extern void answered(struct request *req);
extern struct request *next_parked(struct device *dev);
extern int flush_caches(struct device *dev);

static int locks;		/* that we hold, of all volumes */
static int fates;		/* of the request that is dispatched now */

static int is_error(const void *p)
{
	return (unsigned long)p >= (unsigned long)-MAX_ERROR;
}

/* ---- locks ------------------------------------------------------------- */

/* A lock in memory of others may be held by anybody: we do not wait. */
static int lock_try(struct extension *ext)
{
	if (ext->locked)
		return 0;
	ext->locked = 1;
	locks++;
	return 1;
}

static void lock_release(struct extension *ext)
{
	assert(ext->locked);
	ext->locked = 0;
	locks--;
}

/* ---- the fates of a request -------------------------------------------- */

/* Whatever happens to it now, the filter does not touch it again. */
static void give_away(struct request *req, enum owner to)
{
	assert(req->owner == OWNER_FILTER);
	req->owner = to;
	fates++;
}

static void complete(struct request *req, int status)
{
	req->status = status;
	give_away(req, OWNER_NOBODY);
	assert(locks == 0);
	answered(req);
}

/* The routine of the device below for such requests, or null. */
static int (*routine_of(struct device *dev, int major))(struct device *, struct request *)
{
	if (!dev || !dev->driver)
		return NULL;
	if (major < 0 || major >= MAJORS)
		return NULL;
	return dev->driver->major[major];
}

/* Sends the request down, or says why it cannot go there. */
static int send_down(struct device *lower, struct request *req)
{
	struct frame *here = req->frame, *below;
	int (*routine)(struct device *, struct request *);

	if (!here)
		return -EINVAL;
	below = here->below;
	if (!below || below == here || below->above != here)
		return -ENOSPC;
	routine = routine_of(lower, (int)here->major);
	if (!routine)
		return -EOPNOTSUPP;
	give_away(req, OWNER_LOWER);
	req->frame = below;
	below->major = here->major;
	below->minor = here->minor;
	below->block = here->block;
	below->done = NULL;
	below->context = NULL;
	assert(locks == 0);
	routine(lower, req);
	return SENT;
}

/* Each routine asks this first, whoever it was called by. */
#define MINE(req)	((req)->owner == OWNER_FILTER)

/* ---- reading and writing ----------------------------------------------- */

static int filter_open(struct extension *ext, struct request *req)
{
	if (!MINE(req) || ext->state == ST_REMOVED)
		return -ENODEV;
	ext->opens++;
	return send_down(ext->lower, req);
}

static int filter_close(struct extension *ext, struct request *req)
{
	if (!MINE(req) || ext->opens <= 0)
		return -EINVAL;
	ext->opens--;
	return send_down(ext->lower, req);
}

static int filter_read(struct extension *ext, struct request *req)
{
	if (!MINE(req) || ext->state != ST_STARTED || ext->asleep)
		return -ENODEV;
	return send_down(ext->lower, req);
}

/* Writes to a frozen volume are parked; those that go down are counted. */
static int filter_write(struct extension *ext, struct request *req)
{
	unsigned long block;
	struct zone *z;

	if (!MINE(req) || ext->state != ST_STARTED || ext->asleep)
		return -ENODEV;
	if (!req->frame)
		return -EINVAL;
	if (ext->locked)
		return -EAGAIN;		/* it is being frozen, or thawed */
	if (ext->frozen) {
		if (ext->held >= MAX_HELD)
			return -EBUSY;
		ext->held++;
		assert(ext->frozen && ext->held <= MAX_HELD);
		give_away(req, OWNER_HELD);
		return SENT;
	}
	block = req->frame->block;
	for (z = ext->zones; z; z = z->next)
		if (block >= z->first && block - z->first < z->blocks)
			break;
	if (z) {
		assert(block - z->first < z->blocks);
		z->writes++;
	}
	return send_down(ext->lower, req);
}

/* ---- control ----------------------------------------------------------- */

static int freeze(struct extension *ext)
{
	if (ext->state != ST_STARTED)
		return -ENODEV;
	if (ext->lower && flush_caches(ext->lower) < 0)
		return -EIO;
	if (!lock_try(ext))
		return -EAGAIN;
	ext->frozen = 1;
	lock_release(ext);
	return 0;
}

/*
 * Sends down what was held back.  Each of these may come back, or come again,
 * before the next one is looked at.
 */
static int thaw(struct extension *ext)
{
	struct request *held;
	int n = 0;

	ext->frozen = 0;
	while (ext->held > 0) {
		ext->held--;
		held = next_parked(ext->self);
		if (!held)
			break;
		if (held->owner != OWNER_HELD)
			break;			/* not by us */
		held->owner = OWNER_FILTER;
		if (send_down(ext->lower, held) != SENT)
			complete(held, -EIO);
		n++;
	}
	fates = 0;			/* those of the request that thaws */
	return n;
}

/* Notes down what is below us, as far as it can be seen. */
static int depth(struct extension *ext)
{
	struct device *chain[MAX_DEPTH];
	struct device *d = ext->lower;
	int n = 0, i;

	while (d && n < MAX_DEPTH) {
		for (i = 0; i < n; i++)
			if (chain[i] == d)
				return -EINVAL;	/* they go round */
		assert(n >= 0 && n < MAX_DEPTH);
		chain[n++] = d;
		if (!d->ext)
			break;
		d = d->ext->lower;
	}
	return n;
}

static unsigned long writes(const struct extension *ext)
{
	const struct zone *z;
	unsigned long sum = 0;

	for (z = ext->zones; z; z = z->next)
		sum += z->writes;
	return sum;
}

static int filter_control(struct extension *ext, struct request *req)
{
	int n;

	if (!MINE(req) || !req->frame)
		return -EINVAL;
	switch (req->frame->minor) {
	case CT_FREEZE:
		return freeze(ext);
	case CT_THAW:
		req->information = (unsigned long)thaw(ext);
		return 0;
	case CT_DEPTH:
		n = depth(ext);
		if (n < 0)
			return n;
		req->information = (unsigned long)n;
		return 0;
	case CT_WRITES:
		req->information = writes(ext);
		return 0;
	default:
		return send_down(ext->lower, req);
	}
}

/* ---- power and plugging ------------------------------------------------ */

static int filter_power(struct extension *ext, struct request *req)
{
	if (!MINE(req) || !req->frame)
		return -EINVAL;
	switch (req->frame->minor) {
	case PW_SLEEP:
		if (ext->held > 0 || ext->frozen)
			return -EBUSY;
		ext->asleep = 1;
		break;
	case PW_WAKE:
		ext->asleep = 0;
		break;
	default:
		break;
	}
	return send_down(ext->lower, req);
}

static int filter_plug(struct extension *ext, struct request *req)
{
	if (!MINE(req) || !req->frame)
		return -EINVAL;
	switch (req->frame->minor) {
	case PL_START:
		if (ext->state != ST_ADDED && ext->state != ST_STOPPED)
			return -EINVAL;
		ext->state = ST_STARTED;
		ext->frozen = 0;
		break;
	case PL_STOP:
		if (ext->opens > 0 || ext->held > 0)
			return -EBUSY;
		ext->state = ST_STOPPED;
		break;
	case PL_REMOVE:
		ext->state = ST_REMOVED;
		break;
	default:
		break;
	}
	return send_down(ext->lower, req);
}

/* ---- dispatching ------------------------------------------------------- */

static int (*const table[MAJORS])(struct extension *ext, struct request *req) = {
	[MJ_OPEN] = filter_open,
	[MJ_CLOSE] = filter_close,
	[MJ_READ] = filter_read,
	[MJ_WRITE] = filter_write,
	[MJ_CONTROL] = filter_control,
};

/* The extension of a device of ours, or null. */
static struct extension *ours(const struct device *dev)
{
	struct extension *ext = dev->ext;

	if (!ext || ext->self != dev)
		return NULL;
	return ext;
}

/* What a routine has not given away is answered by what it returns. */
static int settle(struct request *req, int result)
{
	if (fates == 0) {
		/* It may have called others: is it still ours? */
		if (req->owner != OWNER_FILTER)
			return -EIO;
		complete(req, result);
	}
	assert(fates == 1);
	return result;
}

static int dispatch(struct device *dev, struct request *req)
{
	struct extension *ext = ours(dev);
	int major;

	if (!ext || req->owner != OWNER_ABOVE || !req->frame)
		return -EINVAL;
	major = (int)req->frame->major;
	req->owner = OWNER_FILTER;
	fates = 0;
	if (major < 0 || major >= MAJORS || !table[major])
		return settle(req, -EOPNOTSUPP);
	return settle(req, table[major](ext, req));
}

/* Requests of the power manager, which are not to wait behind others. */
static int dispatch_system(struct device *dev, struct request *req, int plug)
{
	struct extension *ext = ours(dev);

	if (!ext || req->owner != OWNER_ABOVE)
		return -EINVAL;
	req->owner = OWNER_FILTER;
	fates = 0;
	if (plug)
		return settle(req, filter_plug(ext, req));
	return settle(req, filter_power(ext, req));
}

/* The device below has done with a request: those above hear of it. */
static void finished(struct device *dev, struct request *req)
{
	struct frame *f = req->frame;

	if (req->owner != OWNER_LOWER || !f || !f->above)
		return;
	f = f->above;
	req->owner = OWNER_FILTER;
	req->frame = f;
	if (f->done && f->done(dev, req, f->context) < 0)
		return;			/* he keeps it */
	if (req->owner == OWNER_FILTER)
		complete(req, req->status);
}

/* ---- a nondeterministic world ------------------------------------------ */

/* The power manager has its requests on the stack, and leaves them as it is. */
static void system_request(struct device *dev)
{
	struct request r;

	dispatch_system(dev, &r, __VERIFIER_nondet_int());
}

int main(void)
{
	struct device *dev;
	struct request *req;

	for (;;) {
		dev = next_device();
		if (!dev)
			break;
		if (is_error(dev))
			continue;
		switch (__VERIFIER_nondet_int()) {
		case 0:
			system_request(dev);
			break;
		case 1:
			req = next_request(dev);
			if (req)
				finished(dev, req);
			break;
		default:
			req = next_request(dev);
			if (req)
				dispatch(dev, req);
			break;
		}
	}
	return 0;
}
