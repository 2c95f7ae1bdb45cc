/* Only if it is awake, in a loop. */
#include "rule.h"

static struct chip chip;

int main(void)
{
	while (transfer(0)) {
		if (pm_runtime_get_if_in_use(&chip.dev) <= 0)
			continue;
		transfer(1);
		pm_runtime_put(&chip.dev);
	}
	return 0;
}
