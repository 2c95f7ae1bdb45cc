/* Completed with an error, or forwarded. */
#include "rule.h"

static DEVICE_OBJECT Lower;
static IRP Request, Other;

static NTSTATUS Dispatch(IRP *irp)
{
	if (!Ready(0)) {
		irp->IoStatus.Status = -1;
		IoCompleteRequest(irp, 0);
		return -1;
	}
	return IoCallDriver(&Lower, irp);
}

int main(void)
{
	return Dispatch(&Request) + Dispatch(&Other);
}
