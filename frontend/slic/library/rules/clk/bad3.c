/* The loop disables it after a failure as well. */
#include "rule.h"

static struct clk uart;

int main(void)
{
	int i;

	if (clk_prepare(&uart) < 0)
		return -5;
	for (i = 0; i < 3; i++) {
		if (clk_enable(&uart) == 0)
			device(i);
		clk_disable(&uart); /* fails: not-enabled */
	}
	clk_unprepare(&uart);
	return 0;
}
