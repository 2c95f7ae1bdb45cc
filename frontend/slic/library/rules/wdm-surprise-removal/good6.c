/* After the dispatch routine, by another name. */
#include "../wdm.h"

static DEVICE_OBJECT Device, Lower;
static IO_STACK_LOCATION Stack;
static IRP Request, Other;

static PDEVICE_OBJECT Gone;

static NTSTATUS Pnp(PDEVICE_OBJECT device, PIRP irp)
{
	Gone = device;
	return IoCallDriver(&Lower, irp);
}

int main(void)
{
	Stack.MajorFunction = IRP_MJ_PNP;
	Stack.MinorFunction = IRP_MN_SURPRISE_REMOVAL;
	Request.Tail.Overlay.CurrentStackLocation = &Stack;
	Pnp(&Device, &Request);
	if (Gone)
		IoDeleteDevice(Gone);
	return 0;
}
