/* Pending by the lower driver. */
#include "../wdm.h"

static DEVICE_OBJECT Device, Lower;
static IO_STACK_LOCATION Stack;
static IRP Request, Other;

static NTSTATUS Read(PDEVICE_OBJECT device, PIRP irp)
{
	IoSkipCurrentIrpStackLocation(irp);
	return IoCallDriver(&Lower, irp);
}

int main(void)
{
	return Read(&Device, &Request);
}
