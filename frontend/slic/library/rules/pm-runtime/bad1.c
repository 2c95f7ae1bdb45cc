/* The device that does not wake has been counted. */
#include "rule.h"

static struct chip chip;

int main(void)
{
	int ret = pm_runtime_get_sync(&chip.dev);

	if (ret < 0)
		return ret;
	ret = transfer(0);
	pm_runtime_put(&chip.dev);
	return ret;
} /* fails: left-at-end */
