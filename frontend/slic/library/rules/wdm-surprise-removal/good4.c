/* Two requests in a loop: the second is the removal. */
#include "../wdm.h"

static DEVICE_OBJECT Device, Lower;
static IO_STACK_LOCATION Stack;
static IRP Request, Other;

static NTSTATUS Pnp(PDEVICE_OBJECT device, PIRP irp)
{
	if (IoGetCurrentIrpStackLocation(irp)->MinorFunction == IRP_MN_REMOVE_DEVICE)
		IoDeleteDevice(device);
	return IoCallDriver(&Lower, irp);
}

int main(void)
{
	Stack.MajorFunction = IRP_MJ_PNP;
	Stack.MinorFunction = IRP_MN_SURPRISE_REMOVAL;
	Request.Tail.Overlay.CurrentStackLocation = &Stack;
	int i;

	for (i = 0; i < 2; i++) {
		Pnp(&Device, &Request);
		Stack.MinorFunction = IRP_MN_REMOVE_DEVICE;
		Request.Tail.Overlay.CurrentStackLocation = &Stack;
	}
	return 0;
}
