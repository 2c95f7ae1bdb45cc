/* A given number, or any. */
#include "rule.h"

static dev_t dev = 0;

static int reserve(void)
{
	if (dev)
		return register_chrdev_region(dev, 1, "lamp");
	return alloc_chrdev_region(&dev, 0, 1, "lamp");
}

int main(void)
{
	dev = add(0) > 0 ? 5 << 20 : 0;
	if (reserve())
		return -16;
	unregister_chrdev_region(dev, 1);
	return 0;
}
