/* A pointer to the number that was found. */
#include "rule.h"

int main(void)
{
	dev_t dev, *p = &dev;
	int ready = !alloc_chrdev_region(p, 0, 1, "lamp");

	if (ready)
		add(*p);
	if (ready)
		unregister_chrdev_region(*p, 1);
	return 0;
}
