/* The caller unmaps what its callee has unmapped. */
#include "rule.h"

static int handler(int irq, void *dev) { return irq; }
static struct dev d;

static int check(void *regs)
{
	if (hardware(0) < 0) {
		iounmap(regs);
		return -19;
	}
	return 0;
}

int main(void)
{
	d.regs = ioremap(4096, 16);
	if (!d.regs)
		return -12;
	check(d.regs);
	iounmap(d.regs); /* fails: double-destroy */
	return 0;
}
