/* Another name if the first one is taken. */
#include "rule.h"

int main(void)
{
	dev_t d = 7;
	int i;

	for (i = 0; i < 3; i++)
		if (register_chrdev_region(d + i, 1, "lamp") == 0)
			break;
	if (i == 3)
		return -16;
	unregister_chrdev_region(d + i, 1);
	return 0;
}
