/* Another request is completed before. */
#include "../wdm.h"

static DEVICE_OBJECT Device, Lower;
static IO_STACK_LOCATION Stack;
static IRP Request, Other;

static NTSTATUS Pnp(PDEVICE_OBJECT device, PIRP irp)
{
	if (device->CurrentIrp) {
		device->CurrentIrp->IoStatus.Status = STATUS_SUCCESS;
		IoCompleteRequest(device->CurrentIrp, 0);
		device->CurrentIrp = 0;
	}
	return IoCallDriver(&Lower, irp);
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
