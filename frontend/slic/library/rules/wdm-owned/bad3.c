/* The callee completes what its caller has marked pending. */
#include "../wdm.h"

static DEVICE_OBJECT Device, Lower;
static IO_STACK_LOCATION Stack;
static IRP Request, Other;

static void Start(PIRP irp)
{
	if (!Ready(0))
		IoCompleteRequest(irp, 0);
}

static NTSTATUS Write(PDEVICE_OBJECT device, PIRP irp)
{
	IoMarkIrpPending(irp);
	Start(irp);
	return STATUS_PENDING;
}

int main(void)
{
	Write(&Device, &Request); /* fails: completed-pending */
	return 0;
}
