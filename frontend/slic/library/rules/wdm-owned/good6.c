/* An error that leaves the request to the caller is no success. */
#include "../wdm.h"

static DEVICE_OBJECT Device, Lower;
static IO_STACK_LOCATION Stack;
static IRP Request, Other;

static NTSTATUS Write(PDEVICE_OBJECT device, PIRP irp)
{
	NTSTATUS status = STATUS_UNSUCCESSFUL;

	if (Ready(0))
		goto out;
	status = STATUS_SUCCESS;
out:
	irp->IoStatus.Status = status;
	IoCompleteRequest(irp, 0);
	return status;
}

int main(void)
{
	return Write(&Device, &Request);
}
