/* The status of the lower driver. */
#include "../wdm.h"

static DEVICE_OBJECT Device, Lower;
static IO_STACK_LOCATION Stack;
static IRP Request, Other;

static NTSTATUS Pass(PDEVICE_OBJECT device, PIRP irp)
{
	IoSkipCurrentIrpStackLocation(irp);
	return IoCallDriver(&Lower, irp);
}

int main(void)
{
	Pass(&Device, &Request);
	return Pass(&Device, &Other);
}
