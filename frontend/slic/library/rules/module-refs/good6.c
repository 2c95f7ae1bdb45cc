/* A flag tells whether there is a reference. */
#include "rule.h"

int main(void)
{
	int busy = try_module_get(THIS_MODULE) ? 1 : 0;

	hardware(busy);
	if (busy == 1)
		module_put(THIS_MODULE);
	return 0;
}
