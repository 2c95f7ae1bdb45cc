/* A request that is not handled is completed. */
#include "../wdm.h"

static DEVICE_OBJECT Device, Lower;
static IO_STACK_LOCATION Stack;
static IRP Request, Other;

static NTSTATUS Pnp(PDEVICE_OBJECT device, PIRP irp)
{
	if (IoGetCurrentIrpStackLocation(irp)->MinorFunction == IRP_MN_START_DEVICE)
		return IoCallDriver(&Lower, irp);
	irp->IoStatus.Status = STATUS_SUCCESS;
	IoCompleteRequest(irp, 0); /* fails: not-passed-down */
	return STATUS_SUCCESS;
}

int main(void)
{
	Stack.MajorFunction = IRP_MJ_PNP;
	Stack.MinorFunction = Ready(0);
	Request.Tail.Overlay.CurrentStackLocation = &Stack;
	IoAttachDeviceToDeviceStack(&Device, &Lower);
	Pnp(&Device, &Request);
	return 0;
}
