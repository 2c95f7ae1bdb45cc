/* A request that was completed has left the list, so the list does not return it. */
#include "../wdm.h"

static LIST_ENTRY Queue;

static NTSTATUS Write(PDEVICE_OBJECT device, PIRP irp)
{
	IoMarkIrpPending(irp);
	InsertTailList(&Queue, &irp->Tail.Overlay.ListEntry);
	return STATUS_PENDING;
}

/* The first request that waits is done. */
static NTSTATUS Flush(PDEVICE_OBJECT device, PIRP irp)
{
	if (Ready(0)) {
		PIRP first = CONTAINING_RECORD(RemoveHeadList(&Queue), IRP, Tail.Overlay.ListEntry);

		IoCompleteRequest(first, 0);
	}
	IoCompleteRequest(irp, 0);
	return STATUS_SUCCESS;
}

NTSTATUS DriverEntry(PDRIVER_OBJECT driver, PUNICODE_STRING path)
{
	driver->MajorFunction[IRP_MJ_WRITE] = Write;
	driver->MajorFunction[IRP_MJ_FLUSH_BUFFERS] = Flush;
	return STATUS_SUCCESS;
}
