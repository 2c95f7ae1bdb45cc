/* The error path waits. */
#include "../wdm.h"

static DEVICE_OBJECT Device, Lower;
static IO_STACK_LOCATION Stack;
static IRP Request, Other;

static NTSTATUS Pnp(PDEVICE_OBJECT device, PIRP irp)
{
	if (IoCallDriver(&Lower, irp) < 0)
		goto failed;
	return STATUS_SUCCESS;
failed:
	KeDelayExecutionThread(0, FALSE, 0); /* fails: waits */
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
