/* The error path completes, and falls through. */
#include "rule.h"

static DEVICE_OBJECT Lower;
static IRP Request, Other;

static NTSTATUS Dispatch(IRP *irp)
{
	if (!Ready(0)) {
		irp->IoStatus.Status = -1;
		IoCompleteRequest(irp, 0);
	}
	return IoCallDriver(&Lower, irp); /* fails: use-after-completion */
}

int main(void)
{
	return Dispatch(&Request);
}
