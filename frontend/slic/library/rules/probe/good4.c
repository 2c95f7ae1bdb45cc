/* The callee unmaps what it is given. */
#include "rule.h"

static int handler(int irq, void *dev) { return irq; }
static struct dev d;

static void undo(void *regs)
{
	if (regs)
		iounmap(regs);
}

int main(void)
{
	d.regs = ioremap(4096, 16);
	hardware(0);
	undo(d.regs);
	return 0;
}
