/* By another name. */
#include "../wdm.h"

static DEVICE_OBJECT Device, Lower;
static IRP Request;
static KEVENT Event;

static PIRP Current;

static NTSTATUS Done(PDEVICE_OBJECT device, PIRP irp, void *context)
{
	KEVENT *event = context;

	Current = irp;
	IoMarkIrpPending(Current);
	if (event)
		KeSetEvent(event, 0, FALSE);
	return STATUS_MORE_PROCESSING_REQUIRED;
}

int main(void)
{
	IoSetCompletionRoutine(&Request, 0, &Event, TRUE, TRUE, TRUE);
	Done(&Device, &Request, &Event); /* fails: marked-and-signalled */
	return 0;
}
