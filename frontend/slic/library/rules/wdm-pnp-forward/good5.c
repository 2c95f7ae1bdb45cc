/* The callee passes them down, in a loop. */
#include "../wdm.h"

static DEVICE_OBJECT Device, Lower;
static IO_STACK_LOCATION Stack;
static IRP Request, Other;

static NTSTATUS Forward(PIRP irp)
{
	return IoCallDriver(&Lower, irp);
}

static NTSTATUS Pnp(PDEVICE_OBJECT device, PIRP irp)
{
	PIRP same = irp;

	return Forward(same);
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
