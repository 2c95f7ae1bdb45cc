/* The error path skips one of two that nest. */
#include "rule.h"

static struct chip chip;

int main(void)
{
	int ret;

	pm_runtime_get_sync(&chip.dev);
	pm_runtime_get_sync(&chip.dev);
	ret = transfer(2);
	if (ret < 0)
		goto out;
	pm_runtime_put(&chip.dev);
out:
	pm_runtime_put(&chip.dev);
	return ret;
} /* fails: left-at-end */
