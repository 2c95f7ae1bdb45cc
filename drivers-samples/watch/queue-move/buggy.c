/*
 * queue-move - requests move between two queues.
 *
 * Three requests wait on one queue and run on another.  A request that takes
 * too long is taken off the second queue and waits once more.
 *
 * Property: only a request that is active is completed; so none is completed
 * twice, and none that waits.
 *
 * The watch is one of the requests, any: which one is chosen where they are
 * submitted.  watch_status is its status, and is asserted where that of the
 * watch is.
 */
#include <assert.h>
#include <stddef.h>

extern int __VERIFIER_nondet_int(void);

enum status {
	REQ_DONE,
	REQ_QUEUED,
	REQ_ACTIVE
};

struct req {
	enum status status;
	struct req *next;
};

struct queue {
	struct req *head;
};

static struct req first, second, third;
static struct queue waiting, running;

static struct req *watch;		/* one request, any */
static enum status watch_status;	/* its status */

static void push(struct queue *q, struct req *r)
{
	r->next = q->head;
	q->head = r;
}

static struct req *pop(struct queue *q)
{
	struct req *r = q->head;

	if (r) {
		q->head = r->next;
		r->next = NULL;
	}
	return r;
}

static void req_submit(struct req *r)
{
	if (r->status != REQ_DONE)
		return;
	if (!watch && __VERIFIER_nondet_int())
		watch = r;
	r->status = REQ_QUEUED;
	if (r == watch)
		watch_status = REQ_QUEUED;
	push(&waiting, r);
}

static void req_start(void)
{
	struct req *r = pop(&waiting);

	if (!r)
		return;
	r->status = REQ_ACTIVE;
	if (r == watch)
		watch_status = REQ_ACTIVE;
	push(&running, r);
}

/* The device has been too slow: the request has to wait again. */
static void req_timeout(void)
{
	struct req *r = running.head;

	if (!r)
		return;
	r->status = REQ_QUEUED;
	if (r == watch)
		watch_status = REQ_QUEUED;
	push(&waiting, r);
}

static void req_complete(void)
{
	struct req *r = pop(&running);

	if (!r)
		return;
	assert(r != watch || watch_status == REQ_ACTIVE);
	r->status = REQ_DONE;
	if (r == watch)
		watch_status = REQ_DONE;
}

static struct req *pick(void)
{
	switch (__VERIFIER_nondet_int()) {
	case 0:
		return &first;
	case 1:
		return &second;
	default:
		return &third;
	}
}

int main(void)
{
	while (__VERIFIER_nondet_int()) {
		switch (__VERIFIER_nondet_int()) {
		case 0:
			req_submit(pick());
			break;
		case 1:
			req_start();
			break;
		case 2:
			req_timeout();
			break;
		default:
			req_complete();
			break;
		}
	}
	return 0;
}
