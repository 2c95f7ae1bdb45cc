/* The callee gives the use back. */
#include "rule.h"

static struct chip chip;

static void rest(struct chip *c)
{
	c->on = 0;
	pm_runtime_put(&c->dev);
}

int main(void)
{
	struct chip *c = &chip;

	pm_runtime_get_sync(&c->dev);
	c->on = 1;
	rest(&chip);
	return 0;
}
