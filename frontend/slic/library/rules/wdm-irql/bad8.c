/* A cancel routine waits while it has the cancel spin lock. */
#include "../wdm.h"

static void Cancel(PDEVICE_OBJECT device, PIRP irp)
{
	KeDelayExecutionThread(0, FALSE, 0); /* fails: waiting */
	IoReleaseCancelSpinLock(irp->CancelIrql);
	IoCompleteRequest(irp, 0);
}

static NTSTATUS Read(PDEVICE_OBJECT device, PIRP irp)
{
	IoMarkIrpPending(irp);
	IoSetCancelRoutine(irp, Cancel);
	return STATUS_PENDING;
}

NTSTATUS DriverEntry(PDRIVER_OBJECT driver, PUNICODE_STRING path)
{
	driver->MajorFunction[IRP_MJ_READ] = Read;
	return STATUS_SUCCESS;
}
