/* In different rounds of a loop. */
#include "../wdm.h"

static DEVICE_OBJECT Device, Lower;
static IRP Request;
static KEVENT Event;

static NTSTATUS Done(PDEVICE_OBJECT device, PIRP irp, void *context)
{
	int i;

	for (i = 0; i < 2; i++) {
		if (i == 0)
			IoMarkIrpPending(irp);
		else
			KeSetEvent(context, 0, FALSE);
	}
	return STATUS_SUCCESS;
}

int main(void)
{
	IoSetCompletionRoutine(&Request, 0, &Event, TRUE, TRUE, TRUE);
	Done(&Device, &Request, &Event); /* fails: marked-and-signalled */
	return 0;
}
