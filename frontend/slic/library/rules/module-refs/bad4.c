/* The loop takes more than it gives. */
#include "rule.h"

int main(void)
{
	int i;

	for (i = 0; i < 2; i++)
		__module_get(THIS_MODULE);
	hardware(0);
	module_put(THIS_MODULE);
	return 0;
} /* fails: left-at-end */
