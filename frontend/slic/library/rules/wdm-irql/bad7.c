/* A deferred call waits. */
#include "../wdm.h"

static KDPC Dpc;

static void Later(PKDPC dpc, void *context, void *argument1, void *argument2)
{
	KeDelayExecutionThread(0, FALSE, 0); /* fails: waiting */
}

static NTSTATUS Read(PDEVICE_OBJECT device, PIRP irp)
{
	KeInsertQueueDpc(&Dpc, 0, 0);
	IoCompleteRequest(irp, 0);
	return STATUS_SUCCESS;
}

NTSTATUS DriverEntry(PDRIVER_OBJECT driver, PUNICODE_STRING path)
{
	KeInitializeDpc(&Dpc, Later, 0);
	driver->MajorFunction[IRP_MJ_READ] = Read;
	return STATUS_SUCCESS;
}
