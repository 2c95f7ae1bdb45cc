/* Registered and unregistered, if the hardware is there. */
#include "rule.h"

static struct miscdevice misc;

int main(void)
{
	if (hardware(0) < 0)
		return -19;
	if (misc_register(&misc))
		return -16;
	misc_deregister(&misc);
	return 0;
}
