/*
 * pool - a pool of four items.
 *
 * A transfer takes two items from the pool and puts them back; the second one
 * it may keep for later, if there is none yet.  Where no item is free, there is
 * no transfer.
 *
 * Properties: no item is put back that is not in use; an item from the pool is
 * clean, in use, and not the same as another one.
 */
#include <assert.h>
#include <stddef.h>

extern int __VERIFIER_nondet_int(void);

#define ITEMS	4

struct item {
	int in_use;
	int dirty;
};

static struct item pool[ITEMS];
static struct item *kept;

static struct item *pool_get(void)
{
	int i;

	for (i = 0; i < ITEMS; i++) {
		if (!pool[i].in_use) {
			pool[i].in_use = 1;
			return &pool[i];
		}
	}
	return NULL;
}

static void pool_put(struct item *it)
{
	assert(it->in_use);
	it->in_use = 0;
	it->dirty = 0;
}

static void transfer(void)
{
	struct item *in, *out;

	in = pool_get();
	if (!in)
		return;
	assert(!in->dirty);
	in->dirty = 1;

	out = pool_get();
	if (!out)
		goto put_in;
	assert(!out->dirty);
	out->dirty = 1;
	assert(in != out && in->in_use && out->in_use);

	if (!kept && __VERIFIER_nondet_int())
		kept = out;
	pool_put(out);
put_in:
	pool_put(in);
}

int main(void)
{
	while (__VERIFIER_nondet_int()) {
		if (__VERIFIER_nondet_int()) {
			transfer();
		} else if (kept) {
			pool_put(kept);
			kept = NULL;
		}
	}
	return 0;
}
