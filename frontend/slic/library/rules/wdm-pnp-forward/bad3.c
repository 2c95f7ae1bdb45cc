/* The callee completes. */
#include "../wdm.h"

static DEVICE_OBJECT Device, Lower;
static IO_STACK_LOCATION Stack;
static IRP Request, Other;

static NTSTATUS Complete(PIRP irp, NTSTATUS status)
{
	irp->IoStatus.Status = status;
	IoCompleteRequest(irp, 0); /* fails: not-passed-down */
	return status;
}

static NTSTATUS Pnp(PDEVICE_OBJECT device, PIRP irp)
{
	if (Ready(1))
		return Complete(irp, STATUS_UNSUCCESSFUL);
	if (Ready(2))
		return Complete(irp, STATUS_SUCCESS);
	return IoCallDriver(&Lower, irp);
}

int main(void)
{
	Stack.MajorFunction = IRP_MJ_PNP;
	Stack.MinorFunction = 0;
	Request.Tail.Overlay.CurrentStackLocation = &Stack;
	IoAttachDeviceToDeviceStack(&Device, &Lower);
	Pnp(&Device, &Request);
	return 0;
}
