/* Unprepared by another name while it is enabled. */
#include "rule.h"

static struct clk shared;

int main(void)
{
	struct clk *mine = &shared, *other = mine;

	if (clk_prepare(mine))
		return -5;
	if (clk_enable(mine) == 0) {
		clk_unprepare(other); /* fails: still-enabled */
		return 0;
	}
	clk_unprepare(mine);
	return 0;
}
