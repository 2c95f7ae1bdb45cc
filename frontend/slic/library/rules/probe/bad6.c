/* Two pointers to the device, and its region is released by both. */
#include "rule.h"

static int handler(int irq, void *dev) { return irq; }
static struct dev d;

int main(void)
{
	struct dev *p = &d, *q = p;

	p->port = 768;
	if (!request_region(p->port, 8, "lamp"))
		return -16;
	release_region(p->port, 8);
	if (hardware(0))
		release_region(q->port, 8); /* fails: below-start */
	return 0;
}
