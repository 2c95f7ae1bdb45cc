/* The callee marks it. */
#include "../wdm.h"

static DEVICE_OBJECT Device, Lower;
static IO_STACK_LOCATION Stack;
static IRP Request, Other;

static NTSTATUS Keep(PDEVICE_OBJECT device, PIRP irp)
{
	IoMarkIrpPending(irp);
	device->CurrentIrp = irp;
	return STATUS_PENDING;
}

static NTSTATUS Read(PDEVICE_OBJECT device, PIRP irp)
{
	PIRP same = irp;

	if (Ready(0))
		return Keep(device, same);
	IoCompleteRequest(irp, 0);
	return STATUS_UNSUCCESSFUL;
}

int main(void)
{
	return Read(&Device, &Request);
}
