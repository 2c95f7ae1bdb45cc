/* The retries of a loop do not wait. */
#include "../wdm.h"

static DEVICE_OBJECT Device, Lower;
static IO_STACK_LOCATION Stack;
static IRP Request, Other;

static NTSTATUS Pnp(PDEVICE_OBJECT device, PIRP irp)
{
	PIRP same = irp;
	int i;

	for (i = 0; i < 3 && !Ready(i); i++)
		if (IoGetCurrentIrpStackLocation(same)->MinorFunction != IRP_MN_START_DEVICE)
			KeDelayExecutionThread(0, FALSE, 0);
	return IoCallDriver(&Lower, irp);
}

int main(void)
{
	Stack.MajorFunction = IRP_MJ_PNP;
	Stack.MinorFunction = IRP_MN_START_DEVICE;
	Request.Tail.Overlay.CurrentStackLocation = &Stack;
	Pnp(&Device, &Request);
	return 0;
}
