/* A test that is the wrong way round, by another name. */
#include "../wdm.h"

static DEVICE_OBJECT Device, Lower;
static IO_STACK_LOCATION Stack;
static IRP Request, Other;

static KEVENT Event;

static NTSTATUS Pnp(PDEVICE_OBJECT device, PIRP irp)
{
	PIO_STACK_LOCATION stack = irp->Tail.Overlay.CurrentStackLocation;

	if (stack->MinorFunction != IRP_MN_REMOVE_DEVICE)
		KeWaitForSingleObject(&Event, 0, 0, FALSE, 0); /* fails: waits */
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
