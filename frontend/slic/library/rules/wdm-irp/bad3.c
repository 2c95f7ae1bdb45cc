/* The queue has one request twice. */
#include "rule.h"

static DEVICE_OBJECT Lower;
static IRP Request, Other;

int main(void)
{
	IRP *queue[2] = { &Request, &Request };
	int i;

	for (i = 0; i < 2; i++)
		IoCompleteRequest(queue[i], 0); /* fails: double-completion */
	return 0;
}
