/* Two regions, undone in reverse. */
#include "rule.h"

static void undo(dev_t *d)
{
	unregister_chrdev_region(*d, 1);
}

int main(void)
{
	dev_t a = 1 << 20, b = 2 << 20;
	int err;

	err = register_chrdev_region(a, 1, "a");
	if (err)
		return err;
	err = register_chrdev_region(b, 1, "b");
	if (err)
		goto out;
	undo(&b);
out:
	undo(&a);
	return err;
}
