/* The wrong request is completed. */
#include "../wdm.h"

static DEVICE_OBJECT Device, Lower;
static IO_STACK_LOCATION Stack;
static IRP Request, Other;

static NTSTATUS Write(PDEVICE_OBJECT device, PIRP irp)
{
	PIRP next = device->CurrentIrp;

	IoCompleteRequest(next, 0);
	device->CurrentIrp = irp;
	return STATUS_SUCCESS;
}

int main(void)
{
	Device.CurrentIrp = &Other;
	Write(&Device, &Request); /* fails: lost */
	return 0;
}
