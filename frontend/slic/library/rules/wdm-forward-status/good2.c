/* It waits, and then has a status of its own. */
#include "../wdm.h"

static DEVICE_OBJECT Device, Lower;
static IO_STACK_LOCATION Stack;
static IRP Request, Other;

static NTSTATUS Done(PDEVICE_OBJECT device, PIRP irp, void *context)
{
	KeSetEvent(context, 0, FALSE);
	return STATUS_MORE_PROCESSING_REQUIRED;
}

static NTSTATUS Start(PDEVICE_OBJECT device, PIRP irp)
{
	KEVENT event;
	NTSTATUS status;

	KeInitializeEvent(&event, 0, FALSE);
	IoSetCompletionRoutine(irp, Done, &event, TRUE, TRUE, TRUE);
	status = IoCallDriver(&Lower, irp);
	if (status == STATUS_PENDING) {
		KeWaitForSingleObject(&event, 0, 0, FALSE, 0);
		status = irp->IoStatus.Status;
	}
	if (NT_SUCCESS(status) && !Ready(0))
		status = STATUS_INSUFFICIENT_RESOURCES;
	irp->IoStatus.Status = status;
	IoCompleteRequest(irp, 0);
	return status;
}

int main(void)
{
	return Start(&Device, &Request);
}
