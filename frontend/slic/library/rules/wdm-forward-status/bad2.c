/* The error path has a status of its own. */
#include "../wdm.h"

static DEVICE_OBJECT Device, Lower;
static IO_STACK_LOCATION Stack;
static IRP Request, Other;

static NTSTATUS Pass(PDEVICE_OBJECT device, PIRP irp)
{
	NTSTATUS status = IoCallDriver(&Lower, irp);

	if (!NT_SUCCESS(status))
		return STATUS_UNSUCCESSFUL;
	return status;
}

int main(void)
{
	Pass(&Device, &Request); /* fails: other-status */
	return 0;
}
