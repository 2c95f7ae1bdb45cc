/*
 * sdq - request queue of an SD card host controller.
 *
 * Requests are linked through `next` into a queue with a head and a tail.
 * The head is started when the controller is idle; it is then the active
 * request until the controller interrupts, a timer expires, the request is
 * aborted, or the card is pulled.
 *
 *	IDLE --submit--> QUEUED --start--> ACTIVE --complete--> IDLE
 *	                 QUEUED --abort--> ABORTED --complete--> IDLE
 *
 * An aborted request stays in the queue until its turn comes: it cannot be
 * unlinked from the middle of a list with one pointer.
 *
 * Properties (reach_error()): a request is completed exactly once, by whoever
 * takes it away from the queue or from the controller; nothing is appended to
 * a queue without a tail; a command is sent only if the controller is idle,
 * and only for the active request.
 */
#include <stddef.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);
extern unsigned int inl(unsigned long port);
extern void outl(unsigned int value, unsigned long port);
extern void reach_error(void);

#define EIO		5
#define EBUSY		16
#define ENODEV		19
#define EINVAL		22
#define ETIMEDOUT	110
#define ECANCELED	125

#define SD_ARG		0x0u
#define SD_CMD		0x4u
#define SD_COUNT	0x8u
#define SD_STATUS	0xcu

#define CMD_READ	17u
#define CMD_WRITE	24u
#define CMD_STOP	12u
#define STATUS_DONE	0x1u
#define STATUS_ERROR	0x2u
#define STATUS_PRESENT	0x4u

#define SECTORS		0x100000u
#define MAX_COUNT	128u
#define MAX_RETRIES	3
#define POOL		8

enum rq_state {
	RQ_IDLE,		/* with its owner */
	RQ_QUEUED,
	RQ_ABORTED,
	RQ_ACTIVE
};

struct request {
	struct request *next;
	enum rq_state state;
	int write;
	unsigned int sector;
	unsigned int count;
	int retries;
	int result;
};

struct host {
	struct request *head;
	struct request *tail;
	struct request *active;	/* started, not completed */
	int present;		/* a card is in the slot */
	unsigned long base;
	unsigned int completed;
};

static struct host host;
static struct request pool[POOL];

/* ---- completion -------------------------------------------------------- */

/* Give a request back to its owner. It must be nobody else's by now. */
static void rq_complete(struct request *rq, int result)
{
	if (rq->state == RQ_IDLE)
		reach_error();		/* given back before */
	if (rq == host.active)
		reach_error();		/* still with the controller */
	rq->state = RQ_IDLE;
	rq->result = result;
	host.completed++;
}

/* ---- the queue --------------------------------------------------------- */

static void rq_append(struct request *rq)
{
	rq->next = NULL;
	if (host.head) {
		if (!host.tail)
			reach_error();
		host.tail->next = rq;
	} else {
		host.head = rq;
	}
	host.tail = rq;
}

static struct request *rq_take(void)
{
	struct request *rq;

	rq = host.head;
	if (!rq)
		return NULL;
	host.head = rq->next;
	if (!host.head)
		host.tail = NULL;
	rq->next = NULL;
	return rq;
}

/* ---- the controller ---------------------------------------------------- */

static void sd_send(struct request *rq)
{
	if (rq != host.active)
		reach_error();
	outl(rq->sector, host.base + SD_ARG);
	outl(rq->count, host.base + SD_COUNT);
	outl(rq->write ? CMD_WRITE : CMD_READ, host.base + SD_CMD);
}

/* Start the next request, unless one is active. */
static void sd_start_next(void)
{
	struct request *rq;

	while (!host.active) {
		rq = rq_take();
		if (!rq)
			return;
		switch (rq->state) {
		case RQ_QUEUED:
			if (!host.present) {
				rq_complete(rq, -ENODEV);
				break;
			}
			rq->state = RQ_ACTIVE;
			host.active = rq;
			sd_send(rq);
			break;
		case RQ_ABORTED:
			rq_complete(rq, -ECANCELED);
			break;
		default:
			/* A damaged queue: leave the rest alone. */
			host.head = NULL;
			host.tail = NULL;
			return;
		}
	}
}

/* Take the active request away from the controller. */
static struct request *sd_detach(void)
{
	struct request *rq = host.active;

	host.active = NULL;
	return rq;
}

static void sd_finish(int result)
{
	struct request *rq;

	rq = sd_detach();
	if (!rq)
		return;
	rq_complete(rq, result);
	sd_start_next();
}

/* ---- entry points ------------------------------------------------------ */

static int sd_submit(struct request *rq, int write, unsigned int sector,
		     unsigned int count)
{
	if (rq->state != RQ_IDLE)
		return -EBUSY;
	if (count == 0 || count > MAX_COUNT)
		return -EINVAL;
	if (sector >= SECTORS || count > SECTORS - sector)
		return -EINVAL;
	if (!host.present)
		return -ENODEV;
	rq->write = write;
	rq->sector = sector;
	rq->count = count;
	rq->retries = 0;
	rq->state = RQ_QUEUED;
	rq_append(rq);
	sd_start_next();
	return 0;
}

/* The owner has lost interest. */
static int sd_abort(struct request *rq)
{
	if (rq->state == RQ_IDLE)
		return -EINVAL;
	if (rq == host.active) {
		outl(CMD_STOP, host.base + SD_CMD);
		sd_detach();
		rq_complete(rq, -ECANCELED);
		sd_start_next();
		return 0;
	}
	rq->state = RQ_ABORTED;
	return 0;
}

static void sd_interrupt(void)
{
	struct request *rq = host.active;
	unsigned int status;

	status = inl(host.base + SD_STATUS);
	if (!(status & STATUS_DONE) || !rq)
		return;
	if (status & STATUS_ERROR) {
		if (rq->retries < MAX_RETRIES && host.present) {
			rq->retries++;
			sd_send(rq);
			return;
		}
		sd_finish(-EIO);
		return;
	}
	sd_finish(0);
}

static void sd_timeout(void)
{
	if (!host.active)
		return;
	outl(CMD_STOP, host.base + SD_CMD);
	sd_finish(-ETIMEDOUT);
}

static void sd_card_change(void)
{
	host.present = (inl(host.base + SD_STATUS) & STATUS_PRESENT) != 0;
	if (!host.present)
		sd_finish(-ENODEV);	/* and the queue after it */
}

int main(void)
{
	unsigned int i;

	host.base = 0xd000u;
	for (i = 0; i < POOL; i++)
		pool[i].state = RQ_IDLE;
	sd_card_change();
	while (__VERIFIER_nondet_int()) {
		i = __VERIFIER_nondet_uint();
		if (i >= POOL)
			continue;
		switch (__VERIFIER_nondet_int()) {
		case 0:
			sd_interrupt();
			break;
		case 1:
			sd_timeout();
			break;
		case 2:
			sd_card_change();
			break;
		case 3:
			sd_abort(&pool[i]);
			break;
		default:
			sd_submit(&pool[i], __VERIFIER_nondet_int() != 0,
				  __VERIFIER_nondet_uint(),
				  __VERIFIER_nondet_uint());
			break;
		}
	}
	return 0;
}
