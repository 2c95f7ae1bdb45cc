/* Two modules: each gets its own reference back. */
#include "rule.h"

static struct module codec, bus;

static void drop(struct module *m)
{
	module_put(m);
}

int main(void)
{
	struct module *first = &codec;

	if (!try_module_get(first))
		return -19;
	if (!try_module_get(&bus)) {
		drop(first);
		return -19;
	}
	drop(&bus);
	drop(&codec);
	return 0;
}
