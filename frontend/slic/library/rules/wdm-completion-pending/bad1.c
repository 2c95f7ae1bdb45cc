/* It marks the request, and signals the event. */
#include "../wdm.h"

static DEVICE_OBJECT Device, Lower;
static IRP Request;
static KEVENT Event;

static NTSTATUS Done(PDEVICE_OBJECT device, PIRP irp, void *context)
{
	if (irp->PendingReturned)
		IoMarkIrpPending(irp);
	KeSetEvent(context, 0, FALSE);
	return STATUS_MORE_PROCESSING_REQUIRED;
}

int main(void)
{
	IoSetCompletionRoutine(&Request, 0, &Event, TRUE, TRUE, TRUE);
	Request.PendingReturned = Ready(0);
	Done(&Device, &Request, &Event); /* fails: marked-and-signalled */
	return 0;
}
