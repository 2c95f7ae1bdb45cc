/* Marked, and queued by a function that takes the lock. */
#include "../wdm.h"

static DEVICE_OBJECT Device, Lower;
static IO_STACK_LOCATION Stack;
static IRP Request, Other;

static LIST_ENTRY Queue;
static KSPIN_LOCK Lock;

static NTSTATUS Read(PDEVICE_OBJECT device, PIRP irp)
{
	IoMarkIrpPending(irp);
	ExInterlockedInsertTailList(&Queue, &irp->Tail.Overlay.ListEntry, &Lock);
	return STATUS_PENDING;
}

int main(void)
{
	Read(&Device, &Request);
	return 0;
}
