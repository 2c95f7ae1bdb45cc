/* One path forgets the request. */
#include "../wdm.h"

static DEVICE_OBJECT Device, Lower;
static IO_STACK_LOCATION Stack;
static IRP Request, Other;

static NTSTATUS Write(PDEVICE_OBJECT device, PIRP irp)
{
	if (!Ready(0))
		return STATUS_SUCCESS;
	return IoCallDriver(&Lower, irp);
}

int main(void)
{
	Write(&Device, &Request); /* fails: lost */
	return 0;
}
