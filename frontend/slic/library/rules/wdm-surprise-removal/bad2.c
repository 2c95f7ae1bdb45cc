/* Detached in the callee. */
#include "../wdm.h"

static DEVICE_OBJECT Device, Lower;
static IO_STACK_LOCATION Stack;
static IRP Request, Other;

static void Stop(PDEVICE_OBJECT lower)
{
	IoDetachDevice(lower); /* fails: detached */
}

static NTSTATUS Pnp(PDEVICE_OBJECT device, PIRP irp)
{
	NTSTATUS status = IoCallDriver(&Lower, irp);

	if (IoGetCurrentIrpStackLocation(irp)->MinorFunction != IRP_MN_START_DEVICE)
		Stop(&Lower);
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
