/*
 * dispatcher - a request for each event.
 *
 * The dispatcher waits for events.  Each one gets a request of its own, which
 * is started, finished, put and given up; and an event may bring about the
 * next one, which the handler then takes at once.  There is no bound on how
 * many requests there are, but only one of them lives at a time.
 *
 * Properties: a request is started, finished and put in this order, and once;
 * the one under way is the one that is finished.
 */
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

enum state {
	REQ_NEW,
	REQ_STARTED,
	REQ_FINISHED,
	REQ_FREE
};

struct req {
	enum state state;
};

static struct req *current;	/* under way */
static int lost;		/* an event has not been served */

static struct req *req_new(void)
{
	struct req *r = malloc(sizeof(*r));

	if (r)
		r->state = REQ_NEW;
	return r;
}

static void req_start(struct req *r)
{
	assert(r->state == REQ_NEW);
	r->state = REQ_STARTED;
	current = r;
}

static void req_finish(struct req *r)
{
	assert(r->state == REQ_STARTED);
	assert(r == current);
	r->state = REQ_FINISHED;
	current = NULL;
}

static void req_put(struct req *r)
{
	assert(r->state == REQ_FINISHED);
	r->state = REQ_FREE;
	free(r);
}

static void handle(void)
{
	struct req *r = req_new();

	if (!r)
		return;
	req_start(r);
	if (__VERIFIER_nondet_int()) {		/* the device is busy */
		lost = 1;
		req_finish(r);
		goto out;
	}
	req_finish(r);
out:
	req_put(r);
	if (__VERIFIER_nondet_int())
		handle();
}

int main(void)
{
	while (__VERIFIER_nondet_int())
		handle();
	return 0;
}
