/* All devices of a loop. */
#include "../wdm.h"

static DEVICE_OBJECT Device, Lower;
static IO_STACK_LOCATION Stack;
static IRP Request, Other;

static NTSTATUS Pnp(PDEVICE_OBJECT device, PIRP irp)
{
	PDEVICE_OBJECT all[2] = { device, &Lower };
	int i;

	for (i = 0; i < 2; i++)
		if (Ready(i))
			IoDeleteDevice(all[i]); /* fails: deleted */
	return IoCallDriver(&Lower, irp);
}

int main(void)
{
	Stack.MajorFunction = IRP_MJ_PNP;
	Stack.MinorFunction = IRP_MN_SURPRISE_REMOVAL;
	Request.Tail.Overlay.CurrentStackLocation = &Stack;
	Pnp(&Device, &Request);
	return 0;
}
