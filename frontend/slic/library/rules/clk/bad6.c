/* The error path leaves it running. */
#include "rule.h"

static struct clk bus;
extern int clk_prepare_enable(struct clk *clk);
extern void clk_disable_unprepare(struct clk *clk);

int main(void)
{
	int err = clk_prepare_enable(&bus);

	if (err)
		return err;
	if (device(0) < 0)
		return -5;
	clk_disable_unprepare(&bus);
	return 0;
} /* fails: enabled-at-end */
