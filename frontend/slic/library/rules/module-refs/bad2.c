/* The reference is given back although there was none. */
#include "rule.h"

static int dev_open(int unit)
{
	int ret = -19;

	if (try_module_get(THIS_MODULE))
		ret = hardware(unit);
	module_put(THIS_MODULE); /* fails: below-start */
	return ret;
}

int main(void)
{
	return dev_open(0);
}
