/* The error path of open keeps the reference. */
#include "rule.h"

static int dev_open(int unit)
{
	if (!try_module_get(THIS_MODULE))
		return -19;
	if (hardware(unit) < 0)
		return -5;
	return 0;
}

int main(void)
{
	if (dev_open(0) == 0)
		module_put(THIS_MODULE);
	return 0;
} /* fails: left-at-end */
