/* The dispatch routine marks, the completion routine signals. */
#include "../wdm.h"

static DEVICE_OBJECT Device, Lower;
static IRP Request;
static KEVENT Event;

static NTSTATUS Done(PDEVICE_OBJECT device, PIRP irp, void *context)
{
	KeSetEvent(context, 0, FALSE);
	return STATUS_MORE_PROCESSING_REQUIRED;
}

static NTSTATUS Read(PDEVICE_OBJECT device, PIRP irp)
{
	IoMarkIrpPending(irp);
	IoCallDriver(&Lower, irp);
	return STATUS_PENDING;
}

int main(void)
{
	IoSetCompletionRoutine(&Request, 0, &Event, TRUE, TRUE, TRUE);
	Read(&Device, &Request);
	Done(&Device, &Request, &Event);
	return 0;
}
