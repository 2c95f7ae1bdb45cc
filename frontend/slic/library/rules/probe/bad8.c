/* A label of the error path to which no jump leads. */
#include "rule.h"

static struct dev d;

static int probe(void)
{
	if (!request_region(768, 8, "lamp"))
		return -16;
	d.regs = ioremap(4096, 16);
	if (!d.regs)
		goto out;
	return 0;
unmap:
	iounmap(d.regs);
	release_region(768, 8);
out:
	return -12;
}

int main(void)
{
	if (probe() < 0)
		return 1;
	iounmap(d.regs);
	release_region(768, 8);
	return 0;
} /* fails: left-at-end */
