/* Kept without a mark. */
#include "../wdm.h"

static DEVICE_OBJECT Device, Lower;
static IO_STACK_LOCATION Stack;
static IRP Request, Other;

static NTSTATUS Read(PDEVICE_OBJECT device, PIRP irp)
{
	device->CurrentIrp = irp;
	if (Ready(0))
		IoMarkIrpPending(irp);
	return STATUS_PENDING;
}

int main(void)
{
	Read(&Device, &Request); /* fails: unmarked */
	return 0;
}
