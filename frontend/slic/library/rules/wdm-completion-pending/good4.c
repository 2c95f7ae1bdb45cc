/* The callee signals, in each round of a loop. */
#include "../wdm.h"

static DEVICE_OBJECT Device, Lower;
static IRP Request;
static KEVENT Event;

static void Wake(KEVENT *event)
{
	int i;

	for (i = 0; i < 2; i++)
		KeSetEvent(event, 0, FALSE);
}

static NTSTATUS Done(PDEVICE_OBJECT device, PIRP irp, void *context)
{
	Wake(context);
	return STATUS_MORE_PROCESSING_REQUIRED;
}

int main(void)
{
	IoSetCompletionRoutine(&Request, 0, &Event, TRUE, TRUE, TRUE);
	Done(&Device, &Request, &Event);
	return 0;
}
