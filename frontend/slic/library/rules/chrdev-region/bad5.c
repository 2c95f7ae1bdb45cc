/* The error path of the second region undoes the second one. */
#include "rule.h"

static void undo(dev_t *d)
{
	unregister_chrdev_region(*d, 1); /* fails: below-start */
}

int main(void)
{
	dev_t a = 1 << 20, b = 2 << 20;

	if (register_chrdev_region(a, 1, "a"))
		return -16;
	if (register_chrdev_region(b, 1, "b"))
		undo(&b);
	undo(&b);
	undo(&a);
	return 0;
}
