/* The interrupt is freed although it could not be had. */
#include "rule.h"

static int handler(int irq, void *dev) { return irq; }
static struct dev d;

int main(void)
{
	int err = request_irq(5, handler, 0, "lamp", &d);

	if (err)
		goto out;
	hardware(0);
out:
	free_irq(5, &d); /* fails: below-start */
	return err;
}
