/*
 * nested - requests that wait for others.
 *
 * A device takes a request apart: to serve one, the driver may have to make
 * further ones, which are served first, and so on.  Each call has a request of
 * its own, which waits on the stack until those that it needs are served.
 * There is no bound on how many wait; a request with retries left is served
 * again by the same call.
 *
 * Properties: what is served waits, and only it; a request is given up when it
 * is done, and once.
 *
 * The watch is one of the requests, any, however deep its call; which one is
 * chosen where they are made.  watch_state is its state, and is asserted where
 * that of the watch is.  A request that is freed is the watch no longer.
 */
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

enum state {
	REQ_WAITS,
	REQ_SERVED,
	REQ_DONE
};

struct req {
	enum state state;
};

static struct req *at_device;	/* what the device has */

static struct req *watch;	/* one request, any */
static enum state watch_state;	/* its state */

static void req_set(struct req *r, enum state state)
{
	r->state = state;
	if (r == watch)
		watch_state = state;
}

static void req_serve(struct req *r)
{
	assert(r != watch || watch_state == REQ_WAITS);
	assert(at_device == NULL);
	at_device = r;
	req_set(r, REQ_SERVED);
}

static void req_done(struct req *r)
{
	assert(r == at_device);
	assert(r != watch || watch_state == REQ_SERVED);
	at_device = NULL;
	req_set(r, REQ_DONE);
}

static void req_free(struct req *r)
{
	if (r == watch)
		watch = NULL;
	free(r);
}

static int serve(void)
{
	struct req *r = malloc(sizeof(*r));
	int failed = 0;

	if (!r)
		return -1;
	if (!watch && __VERIFIER_nondet_int())
		watch = r;
	req_set(r, REQ_WAITS);
	while (!failed && __VERIFIER_nondet_int())
		failed = serve() < 0;		/* one that r needs */
	if (failed && __VERIFIER_nondet_int()) {
		req_free(r);			/* without it, none of them */
		return -1;
	}
	req_serve(r);
	if (__VERIFIER_nondet_int()) {		/* the device asks for more */
		serve();
	}
	req_done(r);
	assert(r != watch || watch_state == REQ_DONE);
	req_free(r);
	return 0;
}

int main(void)
{
	while (__VERIFIER_nondet_int())
		serve();
	return 0;
}
