/*
 * The driver of a printer: writes stand in a queue until the printer takes them, and a remove lock keeps the device
 * as long as a dispatch routine is at work.
 *
 * Each of the macros BUG_… plants a defect; ../expect says which rule finds it.
 */
#include "../../../frontend/slic/library/rules/wdm.h"

typedef struct _SPOOLER {
	PDEVICE_OBJECT Self, Lower;
	IO_REMOVE_LOCK RemoveLock;
	KSPIN_LOCK Lock; /* of the queue */
	LIST_ENTRY Queue;
	ULONG Pages, Jobs;
	BOOLEAN Online;
} SPOOLER, *PSPOOLER;

static DRIVER_DISPATCH SpoolCreate, SpoolWrite, SpoolControl, SpoolPnp, SpoolPass;

static PSPOOLER ExtensionOf(PDEVICE_OBJECT device) { return device->DeviceExtension; }

/* Complete completes a request. */
static NTSTATUS Complete(PIRP irp, NTSTATUS status, ULONG_PTR information)
{
	irp->IoStatus.Status = status;
	irp->IoStatus.Information = information;
	IoCompleteRequest(irp, 0);
	return status;
}

/* SpoolPass passes a request down while the device is there. */
static NTSTATUS SpoolPass(PDEVICE_OBJECT device, PIRP irp)
{
	PSPOOLER spooler = ExtensionOf(device);
	NTSTATUS status = IoAcquireRemoveLock(&spooler->RemoveLock, irp);

	if (!NT_SUCCESS(status))
		return Complete(irp, status, 0);
	IoSkipCurrentIrpStackLocation(irp);
	status = IoCallDriver(spooler->Lower, irp);
#ifdef BUG_PASS_KEEPS
	if (!NT_SUCCESS(status))
		return status;
#endif
	IoReleaseRemoveLock(&spooler->RemoveLock, irp);
	return status;
}

/* SpoolCreate opens the printer if it is online. */
static NTSTATUS SpoolCreate(PDEVICE_OBJECT device, PIRP irp)
{
	PSPOOLER spooler = ExtensionOf(device);

	if (!spooler->Online)
		return Complete(irp, STATUS_NO_SUCH_DEVICE, 0);
	return Complete(irp, STATUS_SUCCESS, 0);
}

/* Enqueue puts a request into the queue, whose lock is held. */
static void Enqueue(PSPOOLER spooler, PIRP irp)
{
#ifndef BUG_QUEUE_UNMARKED
	IoMarkIrpPending(irp);
#endif
	InsertTailList(&spooler->Queue, &irp->Tail.Overlay.ListEntry);
	spooler->Jobs++;
}

/* SpoolWrite queues a job, or refuses it. */
static NTSTATUS SpoolWrite(PDEVICE_OBJECT device, PIRP irp)
{
	PSPOOLER spooler = ExtensionOf(device);
	NTSTATUS status;
	KIRQL irql;

	status = IoAcquireRemoveLock(&spooler->RemoveLock, irp);
	if (!NT_SUCCESS(status))
		return Complete(irp, status, 0);
	KeAcquireSpinLock(&spooler->Lock, &irql);
	if (!spooler->Online || spooler->Jobs >= 100) {
		KeReleaseSpinLock(&spooler->Lock, irql);
#ifndef BUG_WRITE_KEEPS
		IoReleaseRemoveLock(&spooler->RemoveLock, irp);
#endif
		return Complete(irp, STATUS_DEVICE_BUSY, 0);
	}
#ifdef BUG_QUEUE_UNLOCKED
	KeReleaseSpinLock(&spooler->Lock, irql);
	Enqueue(spooler, irp);
#else
	Enqueue(spooler, irp);
	KeReleaseSpinLock(&spooler->Lock, irql);
#endif
	IoReleaseRemoveLock(&spooler->RemoveLock, irp);
#ifdef BUG_QUEUE_UNMARKED
	IoMarkIrpPending(irp);
#endif
#ifdef BUG_WRITE_DONE
	return STATUS_SUCCESS;
#else
	return STATUS_PENDING;
#endif
}

/* SpoolControl tells how many jobs there are, and waits until the printer is ready. */
static NTSTATUS SpoolControl(PDEVICE_OBJECT device, PIRP irp)
{
	PSPOOLER spooler = ExtensionOf(device);
	ULONG jobs;
	KIRQL irql;
	int i;

	KeAcquireSpinLock(&spooler->Lock, &irql);
	for (i = 0; i < 3 && !Ready(i); i++) {
#ifdef BUG_CONTROL_SLEEPS
		KeDelayExecutionThread(0, FALSE, 0);
#else
		KeReleaseSpinLock(&spooler->Lock, irql);
		KeDelayExecutionThread(0, FALSE, 0);
		KeAcquireSpinLock(&spooler->Lock, &irql);
#endif
	}
	jobs = spooler->Jobs;
#ifdef BUG_CONTROL_RELEASES
	if (jobs == 0)
		KeReleaseSpinLock(&spooler->Lock, irql);
#endif
	KeReleaseSpinLock(&spooler->Lock, irql);
	return Complete(irp, STATUS_SUCCESS, jobs);
}

/* SpoolPnp handles the requests by which devices come and go. */
static NTSTATUS SpoolPnp(PDEVICE_OBJECT device, PIRP irp)
{
	PSPOOLER spooler = ExtensionOf(device);
	UCHAR minor = IoGetCurrentIrpStackLocation(irp)->MinorFunction;
	NTSTATUS status;

	status = IoAcquireRemoveLock(&spooler->RemoveLock, irp);
	if (!NT_SUCCESS(status))
		return Complete(irp, status, 0);
	if (minor == IRP_MN_REMOVE_DEVICE || minor == IRP_MN_SURPRISE_REMOVAL)
		spooler->Online = FALSE;
	IoSkipCurrentIrpStackLocation(irp);
	status = IoCallDriver(spooler->Lower, irp);
	if (minor != IRP_MN_REMOVE_DEVICE) {
		IoReleaseRemoveLock(&spooler->RemoveLock, irp);
		return status;
	}
	IoReleaseRemoveLockAndWait(&spooler->RemoveLock, irp);
#ifdef BUG_REMOVE_RELEASES
	IoReleaseRemoveLock(&spooler->RemoveLock, irp);
#endif
	IoDetachDevice(spooler->Lower);
	IoDeleteDevice(device);
#ifdef BUG_REMOVE_STATUS
	status = STATUS_SUCCESS;
#endif
	return status;
}

/* SpoolAddDevice makes the device of a printer that was found. */
static NTSTATUS SpoolAddDevice(PDRIVER_OBJECT driver, PDEVICE_OBJECT physical)
{
	PDEVICE_OBJECT device;
	PSPOOLER spooler;
	NTSTATUS status;

	status = IoCreateDevice(driver, sizeof(SPOOLER), 0, 0x18, 0, FALSE, &device);
	if (!NT_SUCCESS(status))
		return status;
	spooler = ExtensionOf(device);
	spooler->Self = device;
	spooler->Jobs = 0;
#ifdef BUG_ADD_UNATTACHED
	spooler->Lower = physical;
#else
	spooler->Lower = IoAttachDeviceToDeviceStack(device, physical);
#endif
	if (!spooler->Lower) {
		IoDeleteDevice(device);
		return STATUS_NO_SUCH_DEVICE;
	}
	spooler->Online = TRUE;
	device->Flags = DO_BUFFERED_IO;
	return STATUS_SUCCESS;
}

static void SpoolUnload(PDRIVER_OBJECT driver)
{
}

NTSTATUS DriverEntry(PDRIVER_OBJECT driver, PUNICODE_STRING path)
{
	driver->MajorFunction[IRP_MJ_CREATE] = SpoolCreate;
	driver->MajorFunction[IRP_MJ_CLOSE] = SpoolPass;
	driver->MajorFunction[IRP_MJ_WRITE] = SpoolWrite;
	driver->MajorFunction[IRP_MJ_DEVICE_CONTROL] = SpoolControl;
	driver->MajorFunction[IRP_MJ_PNP] = SpoolPnp;
	driver->MajorFunction[IRP_MJ_POWER] = SpoolPass;
	driver->DriverExtension->AddDevice = SpoolAddDevice;
	driver->DriverUnload = SpoolUnload;
	return STATUS_SUCCESS;
}
