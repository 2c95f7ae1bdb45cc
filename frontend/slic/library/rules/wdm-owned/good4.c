/* Requests in a loop. */
#include "../wdm.h"

static DEVICE_OBJECT Device, Lower;
static IO_STACK_LOCATION Stack;
static IRP Request, Other;

static NTSTATUS Write(PDEVICE_OBJECT device, PIRP irp)
{
	if (device->CurrentIrp) {
		IoMarkIrpPending(irp);
		return STATUS_PENDING;
	}
	device->CurrentIrp = irp;
	IoCompleteRequest(irp, 0);
	return STATUS_SUCCESS;
}

int main(void)
{
	IRP queue[2];
	int i;

	for (i = 0; i < 2; i++)
		Write(&Device, &queue[i]);
	return 0;
}
