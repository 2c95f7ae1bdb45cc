/* Another request is passed down in its place. */
#include "../wdm.h"

static DEVICE_OBJECT Device, Lower;
static IO_STACK_LOCATION Stack;
static IRP Request, Other;

static NTSTATUS Pnp(PDEVICE_OBJECT device, PIRP irp)
{
	NTSTATUS status = IoCallDriver(&Lower, device->CurrentIrp);

	irp->IoStatus.Status = STATUS_SUCCESS;
	IoCompleteRequest(irp, 0); /* fails: not-passed-down */
	return status;
}

int main(void)
{
	Stack.MajorFunction = IRP_MJ_PNP;
	Stack.MinorFunction = 0;
	Request.Tail.Overlay.CurrentStackLocation = &Stack;
	IoAttachDeviceToDeviceStack(&Device, &Lower);
	Device.CurrentIrp = &Other;
	Pnp(&Device, &Request);
	return 0;
}
