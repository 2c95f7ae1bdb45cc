/* It stays prepared if it cannot be enabled. */
#include "rule.h"

static struct clk *clk;

int main(void)
{
	int err;

	clk = clk_get(0, "bus");
	err = clk_prepare(clk);
	if (err)
		return err;
	err = clk_enable(clk);
	if (err)
		return err;
	clk_disable(clk);
	clk_unprepare(clk);
	return 0;
} /* fails: prepared-at-end */
