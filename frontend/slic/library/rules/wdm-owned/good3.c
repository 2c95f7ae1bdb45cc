/* The callee completes, with a status that the caller returns. */
#include "../wdm.h"

static DEVICE_OBJECT Device, Lower;
static IO_STACK_LOCATION Stack;
static IRP Request, Other;

static NTSTATUS Complete(PIRP irp, NTSTATUS status)
{
	irp->IoStatus.Status = status;
	IoCompleteRequest(irp, 0);
	return status;
}

static NTSTATUS Write(PDEVICE_OBJECT device, PIRP irp)
{
	return Complete(irp, Ready(0) ? STATUS_SUCCESS : STATUS_UNSUCCESSFUL);
}

int main(void)
{
	return Write(&Device, &Request);
}
