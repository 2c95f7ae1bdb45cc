/* Two devices, one of which is the parent. */
#include "rule.h"

static struct chip chip;

static struct device parent;

static int wake(struct device *a, struct device *b)
{
	pm_runtime_get_sync(a);
	return pm_runtime_get_sync(b);
}

int main(void)
{
	if (wake(&parent, &chip.dev) < 0)
		goto out;
	transfer(0);
out:
	pm_runtime_put(&chip.dev);
	pm_runtime_put(&parent);
	return 0;
}
