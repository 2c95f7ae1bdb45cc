/* It waits when the device is removed. */
#include "../wdm.h"

static DEVICE_OBJECT Device, Lower;
static IO_STACK_LOCATION Stack;
static IRP Request, Other;

static KEVENT Event;

static NTSTATUS Pnp(PDEVICE_OBJECT device, PIRP irp)
{
	switch (IoGetCurrentIrpStackLocation(irp)->MinorFunction) {
	case IRP_MN_REMOVE_DEVICE:
		KeWaitForSingleObject(&Event, 0, 0, FALSE, 0);
		break;
	}
	return IoCallDriver(&Lower, irp);
}

int main(void)
{
	Stack.MajorFunction = IRP_MJ_PNP;
	Stack.MinorFunction = Ready(0);
	Request.Tail.Overlay.CurrentStackLocation = &Stack;
	Pnp(&Device, &Request);
	return 0;
}
