/* The callee waits. */
#include "../wdm.h"

static DEVICE_OBJECT Device, Lower;
static IO_STACK_LOCATION Stack;
static IRP Request, Other;

static void Settle(int n)
{
	if (!Ready(n))
		KeDelayExecutionThread(0, FALSE, 0); /* fails: waits */
}

static NTSTATUS Pnp(PDEVICE_OBJECT device, PIRP irp)
{
	Settle(1);
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
