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
 *
 * The watch is one of the requests, any: which one is chosen where they are
 * made.  watch_state is its state, and is asserted where that of the watch is.
 * A request that is freed is the watch no longer.
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

static struct req *watch;	/* one request, any */
static enum state watch_state;	/* its state */

static void req_set(struct req *r, enum state state)
{
	r->state = state;
	if (r == watch)
		watch_state = state;
}

static struct req *req_new(void)
{
	struct req *r = malloc(sizeof(*r));

	if (!r)
		return NULL;
	if (!watch && __VERIFIER_nondet_int())
		watch = r;
	req_set(r, REQ_NEW);
	return r;
}

static void req_start(struct req *r)
{
	assert(r != watch || watch_state == REQ_NEW);
	req_set(r, REQ_STARTED);
	current = r;
}

static void req_finish(struct req *r)
{
	assert(r != watch || watch_state == REQ_STARTED);
	assert(r == current);
	req_set(r, REQ_FINISHED);
	current = NULL;
}

static void req_put(struct req *r)
{
	assert(r != watch || watch_state == REQ_FINISHED);
	req_set(r, REQ_FREE);
	if (r == watch)
		watch = NULL;
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
