/* Success, whatever the lower driver says. */
#include "../wdm.h"

static DEVICE_OBJECT Device, Lower;
static IO_STACK_LOCATION Stack;
static IRP Request, Other;

static NTSTATUS Pass(PDEVICE_OBJECT device, PIRP irp)
{
	IoSkipCurrentIrpStackLocation(irp);
	IoCallDriver(&Lower, irp);
	return STATUS_SUCCESS;
}

int main(void)
{
	Pass(&Device, &Request); /* fails: other-status */
	return 0;
}
