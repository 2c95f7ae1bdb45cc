/* The callee waits, and is called for others. */
#include "../wdm.h"

static DEVICE_OBJECT Device, Lower;
static IO_STACK_LOCATION Stack;
static IRP Request, Other;

static NTSTATUS Forward(PIRP irp)
{
	return IoForwardIrpSynchronously(&Lower, irp) ? STATUS_SUCCESS : STATUS_UNSUCCESSFUL;
}

static NTSTATUS Pnp(PDEVICE_OBJECT device, PIRP irp)
{
	PIO_STACK_LOCATION stack = IoGetCurrentIrpStackLocation(irp);

	if (stack->MinorFunction != IRP_MN_START_DEVICE)
		return Forward(irp);
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
