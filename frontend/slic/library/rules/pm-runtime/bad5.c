/* The callee returns early. */
#include "rule.h"

static struct chip chip;

static void rest(struct chip *c)
{
	if (!c->on)
		return;
	pm_runtime_put(&c->dev);
}

int main(void)
{
	struct chip *c = &chip;

	pm_runtime_get_sync(&c->dev);
	c->on = transfer(0);
	rest(c);
	return 0;
} /* fails: left-at-end */
