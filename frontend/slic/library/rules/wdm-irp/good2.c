/* The callee completes. */
#include "rule.h"

static DEVICE_OBJECT Lower;
static IRP Request, Other;

static NTSTATUS Complete(IRP *irp, NTSTATUS status)
{
	irp->IoStatus.Status = status;
	IoCompleteRequest(irp, 0);
	return status;
}

int main(void)
{
	IRP *irp = &Request;

	if (Ready(1))
		return Complete(irp, 0);
	return Complete(irp, -5);
}
