/* The callee passes it down. */
#include "../wdm.h"

static DEVICE_OBJECT Device, Lower;
static IO_STACK_LOCATION Stack;
static IRP Request, Other;

static NTSTATUS Forward(PIRP irp)
{
	NTSTATUS status;

	status = IoCallDriver(&Lower, irp);
	return status;
}

static NTSTATUS Pass(PDEVICE_OBJECT device, PIRP irp)
{
	NTSTATUS status = STATUS_NO_SUCH_DEVICE;

	if (device->DeviceExtension)
		status = Forward(irp);
	else
		IoCompleteRequest(irp, 0);
	return status;
}

int main(void)
{
	if (IoCancelIrp(&Other))
		Device.DeviceExtension = &Other;
	return Pass(&Device, &Request);
}
