/* Enabled only. */
#include "rule.h"

static struct clk bus;

static int start(struct clk *c)
{
	return clk_enable(c); /* fails: not-prepared */
}

int main(void)
{
	if (start(&bus) == 0)
		clk_disable(&bus);
	return 0;
}
