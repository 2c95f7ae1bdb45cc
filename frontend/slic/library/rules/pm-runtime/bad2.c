/* The error path gives back what was not counted. */
#include "rule.h"

static struct chip chip;

extern int pm_runtime_resume_and_get(struct device *dev);

int main(void)
{
	int ret = pm_runtime_resume_and_get(&chip.dev);

	if (ret == 0)
		ret = transfer(1);
	pm_runtime_put(&chip.dev); /* fails: below-start */
	return ret;
}
