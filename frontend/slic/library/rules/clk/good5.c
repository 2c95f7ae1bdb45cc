/* Users of one clock are counted; two names of it. */
#include "rule.h"

static struct clk shared;

int main(void)
{
	struct clk *mine = &shared, *other = mine;

	if (clk_prepare(mine))
		return -5;
	if (clk_prepare(other) == 0)
		clk_unprepare(&shared);
	clk_unprepare(&shared);
	return 0;
}
