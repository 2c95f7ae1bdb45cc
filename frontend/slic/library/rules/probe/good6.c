/* What is released by itself. */
#include "rule.h"

static int handler(int irq, void *dev) { return irq; }
static struct dev d;

extern int devm_request_irq(struct dev *dev, unsigned int irq, irq_handler_t handler, unsigned long flags, const char *name, void *id);

int main(void)
{
	if (devm_request_irq(&d, 5, handler, 0, "lamp", &d) < 0)
		return -16;
	if (!request_region(768, 8, "lamp"))
		return -16;
	release_region(768, 8);
	return 0;
}
