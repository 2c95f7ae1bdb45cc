/* The callee deletes, and is called for a removal only. */
#include "../wdm.h"

static DEVICE_OBJECT Device, Lower;
static IO_STACK_LOCATION Stack;
static IRP Request, Other;

static void Remove(PDEVICE_OBJECT device)
{
	IoDeleteDevice(device);
}

static NTSTATUS Pnp(PDEVICE_OBJECT device, PIRP irp)
{
	PIO_STACK_LOCATION stack = IoGetCurrentIrpStackLocation(irp);

	switch (stack->MinorFunction) {
	case IRP_MN_SURPRISE_REMOVAL:
		break;
	case IRP_MN_REMOVE_DEVICE:
		Remove(device);
		break;
	}
	return IoCallDriver(&Lower, irp);
}

int main(void)
{
	Stack.MajorFunction = IRP_MJ_PNP;
	Stack.MinorFunction = Ready(0);
	Request.Tail.Overlay.CurrentStackLocation = &Stack;
	Pnp(&Device, &Request);
	return 0;
}
