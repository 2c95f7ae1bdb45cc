/* A reference for as long as the device is open. */
#include "rule.h"

static int dev_open(int unit)
{
	if (!try_module_get(THIS_MODULE))
		return -19;
	if (hardware(unit) < 0) {
		module_put(THIS_MODULE);
		return -5;
	}
	return 0;
}

static void dev_release(void)
{
	module_put(THIS_MODULE);
}

int main(void)
{
	if (dev_open(0) == 0)
		dev_release();
	return 0;
}
