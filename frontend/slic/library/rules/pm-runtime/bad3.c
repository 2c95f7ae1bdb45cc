/* A round of the loop without a use. */
#include "rule.h"

static struct chip chip;

int main(void)
{
	while (transfer(0)) {
		if (pm_runtime_get_if_in_use(&chip.dev) > 0)
			transfer(1);
		pm_runtime_put_noidle(&chip.dev); /* fails: below-start */
	}
	return 0;
}
