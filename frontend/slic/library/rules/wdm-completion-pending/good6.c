/* Two routines, one after the other. */
#include "../wdm.h"

static DEVICE_OBJECT Device, Lower;
static IRP Request;
static KEVENT Event;

static NTSTATUS Mark(PDEVICE_OBJECT device, PIRP irp, void *context)
{
	PIRP same = irp;

	IoMarkIrpPending(same);
	return STATUS_SUCCESS;
}

static NTSTATUS Done(PDEVICE_OBJECT device, PIRP irp, void *context)
{
	KeSetEvent(context, 0, FALSE);
	return STATUS_MORE_PROCESSING_REQUIRED;
}

int main(void)
{
	IoSetCompletionRoutine(&Request, 0, &Event, TRUE, TRUE, TRUE);
	Mark(&Device, &Request, 0);
	Done(&Device, &Request, &Event);
	return 0;
}
