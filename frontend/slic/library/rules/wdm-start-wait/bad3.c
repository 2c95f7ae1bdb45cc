/* A function that waits. */
#include "../wdm.h"

static DEVICE_OBJECT Device, Lower;
static IO_STACK_LOCATION Stack;
static IRP Request, Other;

static NTSTATUS Pnp(PDEVICE_OBJECT device, PIRP irp)
{
	PIRP same = irp;

	if (IoForwardIrpSynchronously(&Lower, same)) /* fails: waits */
		return STATUS_SUCCESS;
	return STATUS_UNSUCCESSFUL;
}

int main(void)
{
	Stack.MajorFunction = IRP_MJ_PNP;
	Stack.MinorFunction = IRP_MN_START_DEVICE;
	Request.Tail.Overlay.CurrentStackLocation = &Stack;
	Pnp(&Device, &Request);
	return 0;
}
