/* The function of both, as the header has it. */
#include "rule.h"

static struct clk bus;

static inline int clk_prepare_enable(struct clk *clk)
{
	int ret = clk_prepare(clk);

	if (ret)
		return ret;
	ret = clk_enable(clk);
	if (ret)
		clk_unprepare(clk);
	return ret;
}

static inline void clk_disable_unprepare(struct clk *clk)
{
	clk_disable(clk);
	clk_unprepare(clk);
}

int main(void)
{
	if (clk_prepare_enable(&bus) < 0)
		return -5;
	device(1);
	clk_disable_unprepare(&bus);
	return 0;
}
