/* Another request is completed, this one is passed down. */
#include "../wdm.h"

static DEVICE_OBJECT Device, Lower;
static IO_STACK_LOCATION Stack;
static IRP Request, Other;

static NTSTATUS Write(PDEVICE_OBJECT device, PIRP irp)
{
	PIRP old = device->CurrentIrp;

	if (old && old != irp)
		IoCompleteRequest(old, 0);
	return IoCallDriver(&Lower, irp);
}

int main(void)
{
	Device.CurrentIrp = &Other;
	return Write(&Device, &Request);
}
