/* It waits for the lower driver. */
#include "../wdm.h"

static DEVICE_OBJECT Device, Lower;
static IO_STACK_LOCATION Stack;
static IRP Request, Other;

static NTSTATUS Pnp(PDEVICE_OBJECT device, PIRP irp)
{
	KEVENT event;
	NTSTATUS status;

	KeInitializeEvent(&event, 0, FALSE);
	status = IoCallDriver(&Lower, irp);
	if (status == STATUS_PENDING)
		KeWaitForSingleObject(&event, 0, 0, FALSE, 0); /* fails: waits */
	return status;
}

int main(void)
{
	Stack.MajorFunction = IRP_MJ_PNP;
	Stack.MinorFunction = IRP_MN_START_DEVICE;
	Request.Tail.Overlay.CurrentStackLocation = &Stack;
	Pnp(&Device, &Request);
	return 0;
}
