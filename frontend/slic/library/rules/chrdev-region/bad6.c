/* Two pointers to the number. */
#include "rule.h"

int main(void)
{
	dev_t dev, *p = &dev, *q = p;

	if (alloc_chrdev_region(p, 0, 1, "lamp"))
		return -16;
	unregister_chrdev_region(*p, 1);
	if (add(0))
		unregister_chrdev_region(*q, 1); /* fails: below-start */
	return 0;
}
