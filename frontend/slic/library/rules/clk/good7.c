/* Two handles are two objects, also of one clock. */
#include "rule.h"

int main(void)
{
	struct clk *core = clk_get(0, "core"), *bus = clk_get(0, "bus");

	if (!core || !bus || clk_prepare(core))
		return -5;
	if (core != bus)
		clk_unprepare(core);
	return 0;
}
