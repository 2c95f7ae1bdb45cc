/* Queued first, but marked before the release. */
#include "../wdm.h"

static DEVICE_OBJECT Device, Lower;
static IO_STACK_LOCATION Stack;
static IRP Request, Other;

static LIST_ENTRY Queue;
static KSPIN_LOCK Lock;

static NTSTATUS Read(PDEVICE_OBJECT device, PIRP irp)
{
	KIRQL irql;
	NTSTATUS status = STATUS_UNSUCCESSFUL;

	KeAcquireSpinLock(&Lock, &irql);
	if (Ready(0)) {
		InsertTailList(&Queue, &irp->Tail.Overlay.ListEntry);
		IoMarkIrpPending(irp);
		status = STATUS_PENDING;
	}
	KeReleaseSpinLock(&Lock, irql);
	if (status != STATUS_PENDING)
		IoCompleteRequest(irp, 0);
	return status;
}

int main(void)
{
	Read(&Device, &Request);
	return 0;
}
