/* It marks the request. */
#include "../wdm.h"

static DEVICE_OBJECT Device, Lower;
static IRP Request;
static KEVENT Event;

static NTSTATUS Done(PDEVICE_OBJECT device, PIRP irp, void *context)
{
	if (irp->PendingReturned)
		IoMarkIrpPending(irp);
	return STATUS_SUCCESS;
}

int main(void)
{
	IoSetCompletionRoutine(&Request, 0, &Event, TRUE, TRUE, TRUE);
	Done(&Device, &Request, &Event);
	return 0;
}
