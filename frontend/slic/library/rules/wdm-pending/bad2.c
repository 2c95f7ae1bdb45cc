/* Marked, and then an error. */
#include "../wdm.h"

static DEVICE_OBJECT Device, Lower;
static IO_STACK_LOCATION Stack;
static IRP Request, Other;

static NTSTATUS Read(PDEVICE_OBJECT device, PIRP irp)
{
	IoMarkIrpPending(irp);
	if (!Ready(0)) {
		IoCompleteRequest(irp, 0);
		return STATUS_UNSUCCESSFUL;
	}
	device->CurrentIrp = irp;
	return STATUS_PENDING;
}

int main(void)
{
	Read(&Device, &Request); /* fails: marked */
	return 0;
}
