/* The error path of the second clock disables the second one. */
#include "rule.h"

struct port { struct clk *core, *bus; };
static struct clk a, b;
extern int clk_prepare_enable(struct clk *clk);
extern void clk_disable_unprepare(struct clk *clk);

static void stop(struct clk *c)
{
	clk_disable_unprepare(c); /* fails: not-enabled */
}

int main(void)
{
	struct port p = { &a, &b };

	if (clk_prepare_enable(p.core))
		return -5;
	if (clk_prepare_enable(p.bus))
		stop(p.bus);
	else
		stop(p.bus);
	stop(p.core);
	return 0;
}
