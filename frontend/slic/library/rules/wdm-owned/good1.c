/* Completed, or passed down. */
#include "../wdm.h"

static DEVICE_OBJECT Device, Lower;
static IO_STACK_LOCATION Stack;
static IRP Request, Other;

static NTSTATUS Write(PDEVICE_OBJECT device, PIRP irp)
{
	if (!Ready(0)) {
		IoCompleteRequest(irp, 0);
		return STATUS_UNSUCCESSFUL;
	}
	return IoCallDriver(&Lower, irp);
}

int main(void)
{
	Write(&Device, &Request);
	Write(&Device, &Other);
	return 0;
}
