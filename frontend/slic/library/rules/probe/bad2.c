/* The interrupt stays if that of the other device cannot be had. */
#include "rule.h"

static int handler(int irq, void *dev) { return irq; }
static struct dev d;

static struct dev other;

int main(void)
{
	if (request_irq(9, handler, 128, "a", &d))
		return -16;
	if (request_irq(9, handler, 128, "b", &other))
		return -16;
	free_irq(9, &other);
	free_irq(9, &d);
	return 0;
} /* fails: left-at-end */
