/* Marked before it goes down, and returned as pending whatever the lower driver says. */
#include "../wdm.h"

static DEVICE_OBJECT Device, Lower;
static IO_STACK_LOCATION Stack;
static IRP Request, Other;

static NTSTATUS Done(PDEVICE_OBJECT device, PIRP irp, void *context)
{
	return STATUS_SUCCESS;
}

static NTSTATUS Read(PDEVICE_OBJECT device, PIRP irp)
{
	IoCopyCurrentIrpStackLocationToNext(irp);
	IoSetCompletionRoutine(irp, Done, device, TRUE, TRUE, TRUE);
	IoMarkIrpPending(irp);
	IoCallDriver(&Lower, irp);
	return STATUS_PENDING;
}

int main(void)
{
	return Read(&Device, &Request);
}
