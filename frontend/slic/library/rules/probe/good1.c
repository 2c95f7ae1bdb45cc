/* Everything, and released in reverse on each error path. */
#include "rule.h"

static int handler(int irq, void *dev) { return irq; }
static struct dev d;

static int cookie;

static int probe(struct dev *p)
{
	int err = -16;

	if (!request_region(p->port, 8, "lamp"))
		return err;
	p->regs = ioremap(4096, 16);
	if (!p->regs)
		goto region;
	err = request_irq(p->irq, handler, 0, "lamp", &cookie);
	if (err)
		goto unmap;
	return 0;
unmap:
	iounmap(p->regs);
region:
	release_region(p->port, 8);
	return err;
}

int main(void)
{
	d.irq = 5;
	d.port = 768;
	if (probe(&d))
		return -16;
	free_irq(d.irq, &cookie);
	iounmap(d.regs);
	release_region(d.port, 8);
	return 0;
}
