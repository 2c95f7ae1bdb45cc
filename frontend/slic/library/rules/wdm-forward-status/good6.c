/* A function that waits for the lower driver. */
#include "../wdm.h"

static DEVICE_OBJECT Device, Lower;
static IO_STACK_LOCATION Stack;
static IRP Request, Other;

static NTSTATUS Start(PDEVICE_OBJECT device, PIRP irp)
{
	PIRP same = irp;

	if (!IoForwardIrpSynchronously(&Lower, same)) {
		IoCompleteRequest(irp, 0);
		return STATUS_UNSUCCESSFUL;
	}
	IoCompleteRequest(irp, 0);
	return STATUS_SUCCESS;
}

int main(void)
{
	return Start(&Device, &Request);
}
