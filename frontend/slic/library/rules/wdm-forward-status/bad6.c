/* Passed down by another name, and the status of the request is returned. */
#include "../wdm.h"

static DEVICE_OBJECT Device, Lower;
static IO_STACK_LOCATION Stack;
static IRP Request, Other;

static NTSTATUS Pass(PDEVICE_OBJECT device, PIRP irp)
{
	device->CurrentIrp = irp;
	IoCallDriver(&Lower, device->CurrentIrp);
	return irp->IoStatus.Status;
}

int main(void)
{
	Pass(&Device, &Request); /* fails: other-status */
	return 0;
}
