/* The callee marks another request. */
#include "../wdm.h"

static DEVICE_OBJECT Device, Lower;
static IO_STACK_LOCATION Stack;
static IRP Request, Other;

static void Keep(PIRP irp)
{
	IoMarkIrpPending(irp);
}

static NTSTATUS Read(PDEVICE_OBJECT device, PIRP irp)
{
	Keep(device->CurrentIrp ? device->CurrentIrp : irp);
	return STATUS_PENDING;
}

int main(void)
{
	Device.CurrentIrp = &Other;
	Read(&Device, &Request); /* fails: unmarked */
	return 0;
}
