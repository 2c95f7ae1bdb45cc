/* The failure is not looked at. */
#include "rule.h"

static dev_t dev;

static void undo(void)
{
	unregister_chrdev_region(dev, 1); /* fails: below-start */
}

int main(void)
{
	alloc_chrdev_region(&dev, 0, 1, "lamp");
	add(dev);
	undo();
	return 0;
}
