/* Completed after the lower driver was done with it. */
#include "../wdm.h"

static DEVICE_OBJECT Device, Lower;
static IO_STACK_LOCATION Stack;
static IRP Request, Other;

static NTSTATUS Pnp(PDEVICE_OBJECT device, PIRP irp)
{
	NTSTATUS status = STATUS_UNSUCCESSFUL;

	if (IoForwardIrpSynchronously(&Lower, irp))
		status = irp->IoStatus.Status;
	if (NT_SUCCESS(status))
		device->CurrentIrp = 0;
	irp->IoStatus.Status = status;
	IoCompleteRequest(irp, 0);
	return status;
}

int main(void)
{
	Stack.MajorFunction = IRP_MJ_PNP;
	Stack.MinorFunction = IRP_MN_START_DEVICE;
	Request.Tail.Overlay.CurrentStackLocation = &Stack;
	IoAttachDeviceToDeviceStack(&Device, &Lower);
	Pnp(&Device, &Request);
	return 0;
}
