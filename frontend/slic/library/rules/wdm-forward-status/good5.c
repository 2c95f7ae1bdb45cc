/* Marked pending for later. */
#include "../wdm.h"

static DEVICE_OBJECT Device, Lower;
static IO_STACK_LOCATION Stack;
static IRP Request, Other;

static NTSTATUS Done(PDEVICE_OBJECT device, PIRP irp, void *context)
{
	return STATUS_SUCCESS;
}

static NTSTATUS Pass(PDEVICE_OBJECT device, PIRP irp)
{
	IoMarkIrpPending(irp);
	IoSetCompletionRoutine(irp, Done, 0, TRUE, TRUE, TRUE);
	IoCallDriver(&Lower, irp);
	return STATUS_PENDING;
}

int main(void)
{
	return Pass(&Device, &Request);
}
