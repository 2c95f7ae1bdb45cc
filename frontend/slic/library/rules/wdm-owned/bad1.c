/* The error path completes, and says that it is pending. */
#include "../wdm.h"

static DEVICE_OBJECT Device, Lower;
static IO_STACK_LOCATION Stack;
static IRP Request, Other;

static NTSTATUS Write(PDEVICE_OBJECT device, PIRP irp)
{
	NTSTATUS status = STATUS_PENDING;

	if (!Ready(0)) {
		IoCompleteRequest(irp, 0);
		return status;
	}
	IoMarkIrpPending(irp);
	return status;
}

int main(void)
{
	Write(&Device, &Request); /* fails: completed-pending */
	return 0;
}
