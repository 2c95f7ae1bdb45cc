/*
 * pool - a pool of four items.
 *
 * A transfer takes two items from the pool and puts them back; the second one
 * it may keep for later, if there is none yet.  Where no item is free, there is
 * no transfer.
 *
 * Properties: no item is put back that is not in use; an item from the pool is
 * clean, in use, and not the same as another one.
 *
 * The watch is one of the items, any.  watch_in_use and watch_dirty are its
 * state, and are asserted where that of the watch is.
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

static struct item *watch;	/* one item, any */
static int watch_in_use;	/* its state */
static int watch_dirty;

static void item_set(struct item *it, int in_use)
{
	it->in_use = in_use;
	if (it == watch)
		watch_in_use = in_use;
}

static void item_set_dirty(struct item *it, int dirty)
{
	it->dirty = dirty;
	if (it == watch)
		watch_dirty = dirty;
}

static struct item *pool_get(void)
{
	int i;

	for (i = 0; i < ITEMS; i++) {
		if (!pool[i].in_use) {
			item_set(&pool[i], 1);
			return &pool[i];
		}
	}
	return NULL;
}

static void pool_put(struct item *it)
{
	assert(it != watch || watch_in_use);
	item_set(it, 0);
	item_set_dirty(it, 0);
}

static void transfer(void)
{
	struct item *in, *out;

	in = pool_get();
	if (!in)
		return;
	assert(in != watch || !watch_dirty);
	item_set_dirty(in, 1);

	out = pool_get();
	if (!out)
		goto put_in;
	assert(out != watch || !watch_dirty);
	item_set_dirty(out, 1);
	assert(in != out);
	assert(in != watch || watch_in_use);
	assert(out != watch || watch_in_use);

	if (!kept && __VERIFIER_nondet_int())
		kept = out;
	pool_put(out);
put_in:
	pool_put(in);
}

static struct item *pick(void)
{
	switch (__VERIFIER_nondet_int()) {
	case 0:
		return &pool[0];
	case 1:
		return &pool[1];
	case 2:
		return &pool[2];
	default:
		return &pool[3];
	}
}

int main(void)
{
	watch = pick();
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
