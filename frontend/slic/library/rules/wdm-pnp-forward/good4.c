/* A read is completed, plug and play is passed down. */
#include "../wdm.h"

static DEVICE_OBJECT Device, Lower;
static IO_STACK_LOCATION Stack;
static IRP Request, Other;

static NTSTATUS Pnp(PDEVICE_OBJECT device, PIRP irp)
{
	if (IoGetCurrentIrpStackLocation(irp)->MajorFunction == IRP_MJ_PNP)
		return IoCallDriver(&Lower, irp);
	irp->IoStatus.Status = STATUS_SUCCESS;
	IoCompleteRequest(irp, 0);
	return STATUS_SUCCESS;
}

int main(void)
{
	Stack.MajorFunction = Ready(0);
	Stack.MinorFunction = 0;
	Request.Tail.Overlay.CurrentStackLocation = &Stack;
	IoAttachDeviceToDeviceStack(&Device, &Lower);
	Pnp(&Device, &Request);
	return 0;
}
