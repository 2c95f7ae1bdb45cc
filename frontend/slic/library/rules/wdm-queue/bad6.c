/* The second request of a loop is not marked. */
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
	if (!device->CurrentIrp)
		IoMarkIrpPending(irp);
	device->CurrentIrp = irp;
	InsertTailList(&Queue, &irp->Tail.Overlay.ListEntry);
	KeReleaseSpinLock(&Lock, irql); /* fails: released-unmarked */
	return STATUS_PENDING;
}

int main(void)
{
	int i;

	for (i = 0; i < 2; i++)
		Read(&Device, i ? &Other : &Request);
	return 0;
}
