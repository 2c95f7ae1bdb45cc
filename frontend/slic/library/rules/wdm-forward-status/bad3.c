/* The callee loses the status. */
#include "../wdm.h"

static DEVICE_OBJECT Device, Lower;
static IO_STACK_LOCATION Stack;
static IRP Request, Other;

static void Forward(PIRP irp, NTSTATUS *status)
{
	if (IoCallDriver(&Lower, irp) == STATUS_PENDING)
		*status = STATUS_PENDING;
}

static NTSTATUS Pass(PDEVICE_OBJECT device, PIRP irp)
{
	NTSTATUS status = STATUS_SUCCESS;

	Forward(irp, &status);
	return status;
}

int main(void)
{
	Pass(&Device, &Request); /* fails: other-status */
	return 0;
}
