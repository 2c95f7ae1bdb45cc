/*
 * split - a request that becomes two.
 *
 * A request that is too large for the device is split: it is complete when
 * both its children are.  A child may be completed as soon as it is submitted,
 * or later, in any order.
 *
 * Properties: no request is completed twice, neither a child nor the parent;
 * in the end all three are completed.
 *
 * The watch is one of the requests, any: which one is chosen where they are
 * made.  watch_done tells whether it is completed, and is asserted where that
 * of the watch is.  A request that is freed is the watch no longer.
 */
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct req {
	struct req *parent;
	int pending;		/* children that are not completed */
	int done;
};

static struct req *watch;	/* one request, any */
static int watch_done;		/* whether it is completed */

static void req_set(struct req *r, int done)
{
	r->done = done;
	if (r == watch)
		watch_done = done;
}

static struct req *req_new(struct req *parent)
{
	struct req *r = malloc(sizeof(*r));

	if (!r)
		return NULL;
	if (!watch && __VERIFIER_nondet_int())
		watch = r;
	r->parent = parent;
	r->pending = 0;
	req_set(r, 0);
	return r;
}

static void req_complete(struct req *r)
{
	assert(r != watch || !watch_done);
	req_set(r, 1);
}

static void child_complete(struct req *c)
{
	struct req *p = c->parent;

	req_complete(c);
	p->pending--;
	if (p->pending == 0)
		req_complete(p);
}

static void req_free(struct req *r)
{
	if (r == watch)
		watch = NULL;
	free(r);
}

/* What is in the cache is done at once. */
static void submit(struct req *c)
{
	if (__VERIFIER_nondet_int())
		child_complete(c);
}

static void interrupt(struct req *c)
{
	if (!c->done)
		child_complete(c);
}

static void split(void)
{
	struct req *parent, *left, *right;

	parent = req_new(NULL);
	left = req_new(parent);
	right = req_new(parent);
	if (!parent || !left || !right)
		goto out;

	parent->pending++;
	submit(left);
	parent->pending++;
	submit(right);

	if (__VERIFIER_nondet_int()) {
		interrupt(left);
		interrupt(right);
	} else {
		interrupt(right);
		interrupt(left);
	}
	assert(parent != watch || watch_done);
	assert(left != watch || watch_done);
	assert(right != watch || watch_done);
out:
	req_free(parent);
	req_free(left);
	req_free(right);
}

int main(void)
{
	while (__VERIFIER_nondet_int())
		split();
	return 0;
}
