/* Deleted when the device is removed. */
#include "../wdm.h"

static DEVICE_OBJECT Device, Lower;
static IO_STACK_LOCATION Stack;
static IRP Request, Other;

static NTSTATUS Pnp(PDEVICE_OBJECT device, PIRP irp)
{
	NTSTATUS status;
	UCHAR minor = IoGetCurrentIrpStackLocation(irp)->MinorFunction;

	status = IoCallDriver(&Lower, irp);
	if (minor == IRP_MN_REMOVE_DEVICE) {
		IoDetachDevice(&Lower);
		IoDeleteDevice(device);
	}
	return status;
}

int main(void)
{
	Stack.MajorFunction = IRP_MJ_PNP;
	Stack.MinorFunction = Ready(0);
	Request.Tail.Overlay.CurrentStackLocation = &Stack;
	Pnp(&Device, &Request);
	return 0;
}
