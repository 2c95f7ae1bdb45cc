/* The error path does both. */
#include "../wdm.h"

static DEVICE_OBJECT Device, Lower;
static IRP Request;
static KEVENT Event;

static NTSTATUS Done(PDEVICE_OBJECT device, PIRP irp, void *context)
{
	if (Ready(1) < 0)
		KeSetEvent(context, 0, FALSE);
	IoMarkIrpPending(irp);
	return STATUS_SUCCESS;
}

int main(void)
{
	IoSetCompletionRoutine(&Request, 0, &Event, TRUE, TRUE, TRUE);
	Done(&Device, &Request, &Event); /* fails: marked-and-signalled */
	return 0;
}
