/* The lower driver is done, but STATUS_PENDING is returned. */
#include "../wdm.h"

static DEVICE_OBJECT Device, Lower;
static IO_STACK_LOCATION Stack;
static IRP Request, Other;

static NTSTATUS Read(PDEVICE_OBJECT device, PIRP irp)
{
	NTSTATUS status = IoCallDriver(&Lower, irp);

	if (status == STATUS_PENDING)
		return status;
	return STATUS_PENDING;
}

int main(void)
{
	Read(&Device, &Request); /* fails: unmarked */
	return 0;
}
