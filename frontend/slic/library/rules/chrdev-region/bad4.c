/* The loop goes on when it has got one. */
#include "rule.h"

int main(void)
{
	dev_t d = 7;
	int i, got = -1;

	for (i = 0; i < 2; i++)
		if (register_chrdev_region(d + i, 1, "lamp") == 0)
			got = i;
	if (got >= 0)
		unregister_chrdev_region(d + got, 1);
	return 0;
} /* fails: left-at-end */
