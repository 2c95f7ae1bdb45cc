/* The number means something else in another request. */
#include "../wdm.h"

static DEVICE_OBJECT Device, Lower;
static IO_STACK_LOCATION Stack;
static IRP Request, Other;

static NTSTATUS Pnp(PDEVICE_OBJECT device, PIRP irp)
{
	if (IoGetCurrentIrpStackLocation(irp)->MajorFunction == IRP_MJ_READ)
		IoDeleteDevice(device);
	return IoCallDriver(&Lower, irp);
}

int main(void)
{
	Stack.MajorFunction = IRP_MJ_READ;
	Stack.MinorFunction = IRP_MN_SURPRISE_REMOVAL;
	Request.Tail.Overlay.CurrentStackLocation = &Stack;
	Pnp(&Device, &Request);
	return 0;
}
