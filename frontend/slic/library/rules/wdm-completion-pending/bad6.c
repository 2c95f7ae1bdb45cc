/* The second of two routines. */
#include "../wdm.h"

static DEVICE_OBJECT Device, Lower;
static IRP Request;
static KEVENT Event;

static NTSTATUS Mark(PDEVICE_OBJECT device, PIRP irp, void *context)
{
	IoMarkIrpPending(irp);
	return STATUS_SUCCESS;
}

static NTSTATUS Done(PDEVICE_OBJECT device, PIRP irp, void *context)
{
	Mark(device, irp, context);
	KeSetEvent(context, 0, FALSE);
	return STATUS_MORE_PROCESSING_REQUIRED;
}

int main(void)
{
	IoSetCompletionRoutine(&Request, 0, &Event, TRUE, TRUE, TRUE);
	Mark(&Device, &Request, 0);
	Done(&Device, &Request, &Event); /* fails: marked-and-signalled */
	return 0;
}
