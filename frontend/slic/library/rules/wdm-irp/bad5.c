/* Marked pending too late, by another name. */
#include "rule.h"

static DEVICE_OBJECT Lower;
static IRP Request, Other;

static IRP *Current;

int main(void)
{
	Current = &Request;
	if (Ready(0))
		IoCompleteRequest(&Request, 0);
	IoMarkIrpPending(Current); /* fails: use-after-completion */
	return 0;
}
