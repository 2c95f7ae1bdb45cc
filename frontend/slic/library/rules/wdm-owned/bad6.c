/* Completed by another name. */
#include "../wdm.h"

static DEVICE_OBJECT Device, Lower;
static IO_STACK_LOCATION Stack;
static IRP Request, Other;

static NTSTATUS Write(PDEVICE_OBJECT device, PIRP irp)
{
	device->CurrentIrp = irp;
	IoMarkIrpPending(irp);
	if (Ready(0))
		IoCompleteRequest(device->CurrentIrp, 0);
	return STATUS_PENDING;
}

int main(void)
{
	Write(&Device, &Request); /* fails: completed-pending */
	return 0;
}
