/* The callee has destroyed it. */
#include "rule.h"

static void drop(struct class *c)
{
	if (!IS_ERR(c))
		class_destroy(c); /* fails: double-destroy */
}

int main(void)
{
	struct class *c = class_create("lamp");

	if (add_device(0) < 0)
		drop(c);
	drop(c);
	return 0;
}
