/* The request has another name. */
#include "../wdm.h"

static DEVICE_OBJECT Device, Lower;
static IO_STACK_LOCATION Stack;
static IRP Request, Other;

static PIRP Current;

static NTSTATUS Pnp(PDEVICE_OBJECT device, PIRP irp)
{
	Current = irp;
	if (Current->Tail.Overlay.CurrentStackLocation->MinorFunction == IRP_MN_SURPRISE_REMOVAL)
		IoDetachDevice(&Lower); /* fails: detached */
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
