/* Prepared, enabled, and undone in reverse on each error path. */
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
		goto unprepare;
	device(0);
	clk_disable(clk);
unprepare:
	clk_unprepare(clk);
	return err;
}
