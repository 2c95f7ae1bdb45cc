/* Enabled in each round, prepared once. */
#include "rule.h"

static struct clk uart;

int main(void)
{
	int i;

	if (clk_prepare(&uart) < 0)
		return -5;
	for (i = 0; i < 3; i++) {
		if (clk_enable(&uart))
			break;
		device(i);
		clk_disable(&uart);
	}
	clk_unprepare(&uart);
	return 0;
}
