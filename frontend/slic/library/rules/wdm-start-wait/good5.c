/* The wait is after the start. */
#include "../wdm.h"

static DEVICE_OBJECT Device, Lower;
static IO_STACK_LOCATION Stack;
static IRP Request, Other;

static KEVENT Event;

static NTSTATUS Pnp(PDEVICE_OBJECT device, PIRP irp)
{
	return IoCallDriver(&Lower, irp);
}

int main(void)
{
	Stack.MajorFunction = IRP_MJ_PNP;
	Stack.MinorFunction = IRP_MN_START_DEVICE;
	Request.Tail.Overlay.CurrentStackLocation = &Stack;
	Pnp(&Device, &Request);
	KeWaitForSingleObject(&Event, 0, 0, FALSE, 0);
	return 0;
}
