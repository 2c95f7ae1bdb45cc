/* Both names are those of the parent, which is given back twice. */
#include "rule.h"

static struct chip chip;

static struct device parent;

static void rest(struct device *a, struct device *b)
{
	pm_runtime_put(a);
	pm_runtime_put(b); /* fails: below-start */
}

int main(void)
{
	pm_runtime_get_sync(&parent);
	transfer(0);
	rest(&parent, &parent);
	return 0;
}
