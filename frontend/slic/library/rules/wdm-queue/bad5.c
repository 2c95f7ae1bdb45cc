/* The callee has released the lock. */
#include "../wdm.h"

static DEVICE_OBJECT Device, Lower;
static IO_STACK_LOCATION Stack;
static IRP Request, Other;

static LIST_ENTRY Queue;
static KSPIN_LOCK Lock;

static void Note(PDEVICE_OBJECT device, PIRP irp, KIRQL irql)
{
	device->CurrentIrp = irp;
	KeReleaseSpinLock(&Lock, irql);
}

static NTSTATUS Read(PDEVICE_OBJECT device, PIRP irp)
{
	KIRQL irql;

	KeAcquireSpinLock(&Lock, &irql);
	IoMarkIrpPending(irp);
	Note(device, irp, irql);
	InsertTailList(&Queue, &device->CurrentIrp->Tail.Overlay.ListEntry); /* fails: unlocked */
	return STATUS_PENDING;
}

int main(void)
{
	Read(&Device, &Request);
	return 0;
}
