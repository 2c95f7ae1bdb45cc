/* Two mappings, and two names of the first. */
#include "rule.h"

static int handler(int irq, void *dev) { return irq; }
static struct dev d;

int main(void)
{
	void *a = ioremap(4096, 16), *b, *first = a;

	if (!a)
		return -12;
	b = ioremap(8192, 16);
	if (b)
		iounmap(b);
	iounmap(first);
	return 0;
}
