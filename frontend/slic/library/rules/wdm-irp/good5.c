/* Pending first, then completed. */
#include "rule.h"

static DEVICE_OBJECT Lower;
static IRP Request, Other;

static IRP *Current;

int main(void)
{
	Current = &Request;
	IoMarkIrpPending(Current);
	if (Ready(0)) {
		IRP *irp = Current;

		Current = 0;
		IoCompleteRequest(irp, 2);
	}
	if (Current)
		IoCompleteRequest(&Request, 0);
	return 0;
}
