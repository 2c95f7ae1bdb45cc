/* The callee marks. */
#include "../wdm.h"

static DEVICE_OBJECT Device, Lower;
static IRP Request;
static KEVENT Event;

static void Mark(PIRP irp)
{
	IoMarkIrpPending(irp);
}

static NTSTATUS Done(PDEVICE_OBJECT device, PIRP irp, void *context)
{
	KeSetEvent(context, 0, FALSE);
	Mark(irp);
	return STATUS_MORE_PROCESSING_REQUIRED;
}

int main(void)
{
	IoSetCompletionRoutine(&Request, 0, &Event, TRUE, TRUE, TRUE);
	Done(&Device, &Request, &Event); /* fails: marked-and-signalled */
	return 0;
}
