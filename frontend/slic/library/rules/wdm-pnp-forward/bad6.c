/* The last of a loop. */
#include "../wdm.h"

static DEVICE_OBJECT Device, Lower;
static IO_STACK_LOCATION Stack;
static IRP Request, Other;

static NTSTATUS Pnp(PDEVICE_OBJECT device, PIRP irp)
{
	PIRP same = irp;

	if (Stack.MinorFunction < 2)
		return IoCallDriver(&Lower, irp);
	same->IoStatus.Status = STATUS_SUCCESS;
	IoCompleteRequest(same, 0); /* fails: not-passed-down */
	return STATUS_SUCCESS;
}

int main(void)
{
	Stack.MajorFunction = IRP_MJ_PNP;
	Stack.MinorFunction = 0;
	Request.Tail.Overlay.CurrentStackLocation = &Stack;
	IoAttachDeviceToDeviceStack(&Device, &Lower);
	for (Stack.MinorFunction = 0; Stack.MinorFunction < 3; Stack.MinorFunction++)
		Pnp(&Device, &Request);
	return 0;
}
