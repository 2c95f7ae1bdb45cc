/* The error path gives back what the callee has given back. */
#include "rule.h"

static int start(void)
{
	__module_get(THIS_MODULE);
	if (hardware(0) < 0) {
		module_put(THIS_MODULE);
		return -5;
	}
	return 0;
}

int main(void)
{
	if (start() < 0)
		goto out;
	hardware(1);
out:
	module_put(THIS_MODULE); /* fails: below-start */
	return 0;
}
