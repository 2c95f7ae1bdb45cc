/* Two clocks in a device, and a callee that stops them. */
#include "rule.h"

struct port { struct clk *core, *bus; };
static struct clk a, b;
extern int clk_prepare_enable(struct clk *clk);
extern void clk_disable_unprepare(struct clk *clk);

static void stop(struct port *p)
{
	clk_disable_unprepare(p->bus);
	clk_disable_unprepare(p->core);
}

int main(void)
{
	struct port p = { &a, &b };

	if (clk_prepare_enable(p.core))
		return -5;
	if (clk_prepare_enable(p.bus)) {
		clk_disable_unprepare(&a);
		return -5;
	}
	stop(&p);
	return 0;
}
