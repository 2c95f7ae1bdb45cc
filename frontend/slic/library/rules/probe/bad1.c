/* The mapping stays if the interrupt cannot be had. */
#include "rule.h"

static int handler(int irq, void *dev) { return irq; }
static struct dev d;

static int probe(struct dev *p)
{
	p->regs = ioremap(4096, 16);
	if (!p->regs)
		return -12;
	return request_irq(p->irq, handler, 0, "lamp", p);
}

int main(void)
{
	if (probe(&d))
		return -16;
	free_irq(d.irq, &d);
	iounmap(d.regs);
	return 0;
} /* fails: left-at-end */
