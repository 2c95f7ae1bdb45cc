/* The error path keeps the region. */
#include "rule.h"

static dev_t dev;

int main(void)
{
	int err = alloc_chrdev_region(&dev, 0, 4, "lamp");

	if (err < 0)
		return err;
	if (add(dev) < 0)
		return -5;
	unregister_chrdev_region(dev, 4);
	return 0;
} /* fails: left-at-end */
