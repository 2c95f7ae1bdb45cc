/* A loop that looks for a free port. */
#include "rule.h"

static int handler(int irq, void *dev) { return irq; }
static struct dev d;

int main(void)
{
	unsigned long port;

	for (port = 512; port < 516; port++)
		if (request_region(port, 1, "lamp"))
			break;
	if (port == 516)
		return -16;
	hardware(0);
	release_region(port, 1);
	return 0;
}
