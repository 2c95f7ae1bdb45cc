/* A queue of requests, two at most. */
#include "rule.h"

static DEVICE_OBJECT Lower;
static IRP Request, Other;

int main(void)
{
	IRP *queue[2] = { &Request, &Other };
	int i;

	for (i = 0; i < 2; i++)
		IoCompleteRequest(queue[i], 0);
	return 0;
}
