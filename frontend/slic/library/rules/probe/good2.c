/* One interrupt for two devices. */
#include "rule.h"

static int handler(int irq, void *dev) { return irq; }
static struct dev d;

static struct dev other;

int main(void)
{
	if (request_irq(9, handler, 128, "a", &d))
		return -16;
	if (request_irq(9, handler, 128, "b", &other) == 0)
		free_irq(9, &other);
	free_irq(9, &d);
	return 0;
}
