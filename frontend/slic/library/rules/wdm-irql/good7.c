/* A deferred call is at DISPATCH_LEVEL, and a cancel routine is until it releases the lock. */
#include "../wdm.h"

static KSPIN_LOCK Lock;
static KDPC Dpc;
static int Calls;

static void Later(PKDPC dpc, void *context, void *argument1, void *argument2)
{
	KeAcquireSpinLockAtDpcLevel(&Lock);
	Calls++;
	KeReleaseSpinLockFromDpcLevel(&Lock);
}

static void Cancel(PDEVICE_OBJECT device, PIRP irp)
{
	IoReleaseCancelSpinLock(irp->CancelIrql);
	KeDelayExecutionThread(0, FALSE, 0);
	IoCompleteRequest(irp, 0);
}

static NTSTATUS Read(PDEVICE_OBJECT device, PIRP irp)
{
	IoMarkIrpPending(irp);
	IoSetCancelRoutine(irp, Cancel);
	KeInsertQueueDpc(&Dpc, 0, 0);
	return STATUS_PENDING;
}

NTSTATUS DriverEntry(PDRIVER_OBJECT driver, PUNICODE_STRING path)
{
	KeInitializeDpc(&Dpc, Later, 0);
	driver->MajorFunction[IRP_MJ_READ] = Read;
	return STATUS_SUCCESS;
}
