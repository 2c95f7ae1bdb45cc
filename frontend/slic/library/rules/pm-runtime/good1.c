/* The use is given back if the device does not wake. */
#include "rule.h"

static struct chip chip;

int main(void)
{
	int ret = pm_runtime_get_sync(&chip.dev);

	if (ret < 0) {
		pm_runtime_put_noidle(&chip.dev);
		return ret;
	}
	ret = transfer(0);
	pm_runtime_put(&chip.dev);
	return ret;
}
