/* Requests in a loop, one of which is kept. */
#include "../wdm.h"

static DEVICE_OBJECT Device, Lower;
static IO_STACK_LOCATION Stack;
static IRP Request, Other;

static NTSTATUS Read(PDEVICE_OBJECT device, PIRP irp)
{
	NTSTATUS status = STATUS_SUCCESS;

	if (!device->CurrentIrp) {
		IoMarkIrpPending(irp);
		device->CurrentIrp = irp;
		status = STATUS_PENDING;
	} else {
		IoCompleteRequest(irp, 0);
	}
	return status;
}

int main(void)
{
	IRP queue[2];
	int i;

	for (i = 0; i < 2; i++)
		Read(&Device, &queue[i]);
	return 0;
}
