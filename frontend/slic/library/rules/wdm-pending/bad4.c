/* Marked, and the status of the lower driver is returned. */
#include "../wdm.h"

static DEVICE_OBJECT Device, Lower;
static IO_STACK_LOCATION Stack;
static IRP Request, Other;

static NTSTATUS Read(PDEVICE_OBJECT device, PIRP irp)
{
	PIRP same = irp;

	IoMarkIrpPending(same);
	return IoCallDriver(&Lower, irp);
}

int main(void)
{
	Read(&Device, &Request); /* fails: marked */
	return 0;
}
