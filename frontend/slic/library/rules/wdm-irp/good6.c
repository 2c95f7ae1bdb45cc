/* Two different requests, and an error path. */
#include "rule.h"

static DEVICE_OBJECT Lower;
static IRP Request, Other;

static void Cancel(IRP *first, IRP *second)
{
	if (first != second)
		IoCompleteRequest(first, 0);
	IoCompleteRequest(second, 0);
}

int main(void)
{
	if (!Ready(0))
		goto out;
	Cancel(&Request, &Other);
	return 0;
out:
	Cancel(&Other, &Other);
	return -1;
}
