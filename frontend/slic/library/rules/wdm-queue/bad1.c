/* Marked after the release. */
#include "../wdm.h"

static DEVICE_OBJECT Device, Lower;
static IO_STACK_LOCATION Stack;
static IRP Request, Other;

static LIST_ENTRY Queue;
static KSPIN_LOCK Lock;

static NTSTATUS Read(PDEVICE_OBJECT device, PIRP irp)
{
	KIRQL irql;

	KeAcquireSpinLock(&Lock, &irql);
	InsertTailList(&Queue, &irp->Tail.Overlay.ListEntry);
	KeReleaseSpinLock(&Lock, irql); /* fails: released-unmarked */
	IoMarkIrpPending(irp);
	return STATUS_PENDING;
}

int main(void)
{
	Read(&Device, &Request);
	return 0;
}
