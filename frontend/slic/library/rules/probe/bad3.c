/* The loop goes on when it has found a port. */
#include "rule.h"

static int handler(int irq, void *dev) { return irq; }
static struct dev d;

int main(void)
{
	unsigned long port, found = 0;

	for (port = 512; port < 514; port++)
		if (request_region(port, 1, "lamp"))
			found = port;
	if (found)
		release_region(found, 1);
	return 0;
} /* fails: left-at-end */
