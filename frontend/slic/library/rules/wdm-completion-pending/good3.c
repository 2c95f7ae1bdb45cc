/* One of the two, as the context says. */
#include "../wdm.h"

static DEVICE_OBJECT Device, Lower;
static IRP Request;
static KEVENT Event;

static NTSTATUS Done(PDEVICE_OBJECT device, PIRP irp, void *context)
{
	if (context) {
		KeSetEvent(context, 0, FALSE);
		return STATUS_MORE_PROCESSING_REQUIRED;
	}
	if (irp->PendingReturned)
		IoMarkIrpPending(irp);
	return STATUS_SUCCESS;
}

int main(void)
{
	IoSetCompletionRoutine(&Request, 0, &Event, TRUE, TRUE, TRUE);
	Done(&Device, &Request, Ready(0) ? &Event : 0);
	return 0;
}
