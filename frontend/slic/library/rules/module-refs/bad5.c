/* Two pointers to one module. */
#include "rule.h"

static struct module codec;

static void drop(struct module *m)
{
	module_put(m); /* fails: below-start */
}

int main(void)
{
	struct module *a = &codec, *b = a;

	if (!try_module_get(a))
		return -19;
	drop(a);
	drop(b);
	return 0;
}
