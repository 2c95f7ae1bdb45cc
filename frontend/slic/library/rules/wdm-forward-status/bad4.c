/* A completion routine, but no wait for one that is pending. */
#include "../wdm.h"

static DEVICE_OBJECT Device, Lower;
static IO_STACK_LOCATION Stack;
static IRP Request, Other;

static NTSTATUS Done(PDEVICE_OBJECT device, PIRP irp, void *context)
{
	return STATUS_MORE_PROCESSING_REQUIRED;
}

static NTSTATUS Start(PDEVICE_OBJECT device, PIRP irp)
{
	IoSetCompletionRoutine(irp, Done, 0, TRUE, TRUE, TRUE);
	IoCallDriver(&Lower, irp);
	return irp->IoStatus.Status;
}

int main(void)
{
	Start(&Device, &Request); /* fails: other-status */
	return 0;
}
