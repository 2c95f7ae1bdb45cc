/* Marked after it was queued by a function that takes the lock. */
#include "../wdm.h"

static DEVICE_OBJECT Device, Lower;
static IO_STACK_LOCATION Stack;
static IRP Request, Other;

static LIST_ENTRY Queue;
static KSPIN_LOCK Lock;

static NTSTATUS Read(PDEVICE_OBJECT device, PIRP irp)
{
	ExInterlockedInsertTailList(&Queue, &irp->Tail.Overlay.ListEntry, &Lock); /* fails: queued-unmarked */
	IoMarkIrpPending(irp);
	return STATUS_PENDING;
}

int main(void)
{
	Read(&Device, &Request);
	return 0;
}
