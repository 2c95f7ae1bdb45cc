/* Requests of its own in a loop, before. */
#include "../wdm.h"

static DEVICE_OBJECT Device, Lower;
static IO_STACK_LOCATION Stack;
static IRP Request, Other;

static NTSTATUS Pass(PDEVICE_OBJECT device, PIRP irp)
{
	int i;

	for (i = 0; i < 2; i++)
		if (IoCallDriver(&Lower, &Other) < 0)
			break;
	return IoCallDriver(&Lower, irp);
}

int main(void)
{
	return Pass(&Device, &Request);
}
