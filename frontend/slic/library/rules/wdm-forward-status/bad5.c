/* The status of the last request of a loop is that of another one. */
#include "../wdm.h"

static DEVICE_OBJECT Device, Lower;
static IO_STACK_LOCATION Stack;
static IRP Request, Other;

static NTSTATUS Pass(PDEVICE_OBJECT device, PIRP irp)
{
	NTSTATUS status = STATUS_SUCCESS;
	PIRP both[2] = { irp, &Other };
	int i;

	for (i = 0; i < 2; i++)
		status = IoCallDriver(&Lower, both[i]);
	return status;
}

int main(void)
{
	Pass(&Device, &Request); /* fails: other-status */
	return 0;
}
