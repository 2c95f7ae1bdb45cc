/* The function that does so itself, as the header has it. */
#include "rule.h"

static struct chip chip;

static inline int pm_runtime_resume_and_get(struct device *dev)
{
	int ret = pm_runtime_get_sync(dev);

	if (ret < 0) {
		pm_runtime_put_noidle(dev);
		return ret;
	}
	return 0;
}

int main(void)
{
	int ret = pm_runtime_resume_and_get(&chip.dev);

	if (ret < 0)
		return ret;
	transfer(1);
	pm_runtime_put(&chip.dev);
	return 0;
}
