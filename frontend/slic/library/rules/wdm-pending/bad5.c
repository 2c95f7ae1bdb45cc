/* The second request of a loop is not marked. */
#include "../wdm.h"

static DEVICE_OBJECT Device, Lower;
static IO_STACK_LOCATION Stack;
static IRP Request, Other;

static NTSTATUS Read(PDEVICE_OBJECT device, PIRP irp)
{
	if (!device->CurrentIrp)
		IoMarkIrpPending(irp);
	device->CurrentIrp = irp;
	return STATUS_PENDING;
}

int main(void)
{
	IRP queue[2];
	int i;

	for (i = 0; i < 2; i++)
		Read(&Device, &queue[i]); /* fails: unmarked */
	return 0;
}
