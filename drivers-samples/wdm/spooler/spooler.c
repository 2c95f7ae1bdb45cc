/*
 * The driver of a printer: writes stand in a queue until the printer takes them, which a timer asks it to, and a
 * remove lock keeps the device as long as a dispatch routine is at work.
 *
 * Each of the macros BUG_… plants a defect; ../rows says which rule finds it.
 */
#include "../../../frontend/slic/library/rules/wdm.h"

#define IOCTL_WAIT 0x180004
#define IOCTL_JOBS 0x180008
#define IOCTL_PAUSE 0x18000c
#define IOCTL_RESUME 0x180010
#define MAXIMUM 100             /* jobs in the queue */
#define INTERVAL (-10 * 100000) /* of the timer, in units of 100 ns from now on */

typedef struct _SPOOLER {
	PDEVICE_OBJECT Self, Lower;
	IO_REMOVE_LOCK RemoveLock;
	KSPIN_LOCK Lock; /* of the queue and of all below */
	LIST_ENTRY Queue;
	ULONG Pages, Jobs, Refused;
	BOOLEAN Online, Paused;
	KTIMER Timer;
	KDPC Dpc; /* of the timer */
} SPOOLER, *PSPOOLER;

static DRIVER_DISPATCH SpoolCreate, SpoolWrite, SpoolControl, SpoolPnp, SpoolPass, SpoolCleanup, SpoolFlush, SpoolPower;
static KDEFERRED_ROUTINE SpoolDpc;

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

/* StartTimer lets the timer ask the printer for its next job. */
static void StartTimer(PSPOOLER spooler)
{
	LARGE_INTEGER due;

	due.QuadPart = INTERVAL;
	KeSetTimer(&spooler->Timer, due, &spooler->Dpc);
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

/* Dequeue takes the first request out of the queue, whose lock is held; 0 if there is none. */
static PIRP Dequeue(PSPOOLER spooler)
{
	LIST_ENTRY *entry;

	if (IsListEmpty(&spooler->Queue))
		return 0;
	entry = RemoveHeadList(&spooler->Queue);
	spooler->Jobs--;
	return CONTAINING_RECORD(entry, IRP, Tail.Overlay.ListEntry);
}

/* SpoolDpc is called by the timer: the printer takes a job if it is ready. */
static void SpoolDpc(PKDPC dpc, void *context, void *argument1, void *argument2)
{
	PSPOOLER spooler = context;
	PIRP job = 0;
	BOOLEAN more;

	KeAcquireSpinLockAtDpcLevel(&spooler->Lock);
	if (spooler->Online && !spooler->Paused && Ready(0))
		job = Dequeue(spooler);
	if (job)
		spooler->Pages += IoGetCurrentIrpStackLocation(job)->Parameters.Write.Length / 4096 + 1;
	more = spooler->Jobs > 0;
#ifdef BUG_DPC_LOCKED
	if (job)
		Complete(job, STATUS_SUCCESS, 0);
	KeReleaseSpinLockFromDpcLevel(&spooler->Lock);
#else
	KeReleaseSpinLockFromDpcLevel(&spooler->Lock);
	if (job)
		Complete(job, STATUS_SUCCESS, 0);
#endif
#ifdef BUG_DPC_TWICE
	if (job && !more)
		IoCompleteRequest(job, 0);
#endif
	if (more)
		StartTimer(spooler);
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
	if (!spooler->Online || spooler->Jobs >= MAXIMUM) {
		spooler->Refused++;
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
	StartTimer(spooler);
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

/* WaitUntilReady waits until the printer is ready, for a while, and returns the number of jobs. */
static ULONG WaitUntilReady(PSPOOLER spooler)
{
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
	return jobs;
}

/* SpoolControl tells how many jobs there are, waits until the printer is ready, and lets it pause and go on. */
static NTSTATUS SpoolControl(PDEVICE_OBJECT device, PIRP irp)
{
	PSPOOLER spooler = ExtensionOf(device);
	NTSTATUS status = STATUS_SUCCESS;
	ULONG jobs = 0;
	KIRQL irql;

	switch (IoGetCurrentIrpStackLocation(irp)->Parameters.DeviceIoControl.IoControlCode) {
	case IOCTL_WAIT:
		jobs = WaitUntilReady(spooler);
		break;
	case IOCTL_JOBS:
		KeAcquireSpinLock(&spooler->Lock, &irql);
		jobs = spooler->Jobs;
		KeReleaseSpinLock(&spooler->Lock, irql);
		break;
	case IOCTL_PAUSE:
		KeAcquireSpinLock(&spooler->Lock, &irql);
		spooler->Paused = TRUE;
		KeReleaseSpinLock(&spooler->Lock, irql);
		KeCancelTimer(&spooler->Timer);
		break;
	case IOCTL_RESUME:
		KeAcquireSpinLock(&spooler->Lock, &irql);
		spooler->Paused = FALSE;
		jobs = spooler->Jobs;
		KeReleaseSpinLock(&spooler->Lock, irql);
		if (jobs > 0)
			StartTimer(spooler);
		break;
	default:
		status = STATUS_INVALID_DEVICE_REQUEST;
	}
	return Complete(irp, status, jobs);
}

/* Drop completes all jobs that wait: nobody prints them. */
static void Drop(PSPOOLER spooler, NTSTATUS status)
{
	PIRP job;
	KIRQL irql;

	for (;;) {
		KeAcquireSpinLock(&spooler->Lock, &irql);
		job = Dequeue(spooler);
		KeReleaseSpinLock(&spooler->Lock, irql);
		if (!job)
			break;
		Complete(job, status, 0);
	}
}

/* SpoolCleanup drops the jobs of a program that ends. */
static NTSTATUS SpoolCleanup(PDEVICE_OBJECT device, PIRP irp)
{
	Drop(ExtensionOf(device), STATUS_CANCELLED);
	return Complete(irp, STATUS_SUCCESS, 0);
}

/* SpoolFlush lets the printer take its next job soon. */
static NTSTATUS SpoolFlush(PDEVICE_OBJECT device, PIRP irp)
{
	PSPOOLER spooler = ExtensionOf(device);

	if (!spooler->Paused)
		KeInsertQueueDpc(&spooler->Dpc, 0, 0);
	return Complete(irp, STATUS_SUCCESS, 0);
}

/* SpoolPower passes a power request down; a printer without power takes no jobs. */
static NTSTATUS SpoolPower(PDEVICE_OBJECT device, PIRP irp)
{
	PSPOOLER spooler = ExtensionOf(device);
	PIO_STACK_LOCATION stack = IoGetCurrentIrpStackLocation(irp);
	NTSTATUS status = IoAcquireRemoveLock(&spooler->RemoveLock, irp);
	KIRQL irql;

	if (!NT_SUCCESS(status)) {
		PoStartNextPowerIrp(irp);
		return Complete(irp, status, 0);
	}
	if (stack->MinorFunction == IRP_MN_SET_POWER && stack->Parameters.Power.Type == DevicePowerState) {
		KeAcquireSpinLock(&spooler->Lock, &irql);
		spooler->Paused = stack->Parameters.Power.State != PowerDeviceD0;
		KeReleaseSpinLock(&spooler->Lock, irql);
	}
	PoStartNextPowerIrp(irp);
	IoSkipCurrentIrpStackLocation(irp);
	status = PoCallDriver(spooler->Lower, irp);
	IoReleaseRemoveLock(&spooler->RemoveLock, irp);
	return status;
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
#ifdef BUG_START_SLEEPS
	if (minor == IRP_MN_START_DEVICE && !Ready(0))
		KeDelayExecutionThread(0, FALSE, 0);
#endif
	if (minor == IRP_MN_REMOVE_DEVICE || minor == IRP_MN_SURPRISE_REMOVAL) {
		spooler->Online = FALSE;
		KeCancelTimer(&spooler->Timer);
		Drop(spooler, STATUS_DELETE_PENDING);
	}
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
	spooler->Jobs = spooler->Pages = spooler->Refused = 0;
	spooler->Paused = FALSE;
	IoInitializeRemoveLock(&spooler->RemoveLock, 0, 0, 0);
	KeInitializeSpinLock(&spooler->Lock);
	InitializeListHead(&spooler->Queue);
	KeInitializeTimer(&spooler->Timer);
	KeInitializeDpc(&spooler->Dpc, SpoolDpc, spooler);
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
	driver->MajorFunction[IRP_MJ_CLEANUP] = SpoolCleanup;
	driver->MajorFunction[IRP_MJ_FLUSH_BUFFERS] = SpoolFlush;
	driver->MajorFunction[IRP_MJ_DEVICE_CONTROL] = SpoolControl;
	driver->MajorFunction[IRP_MJ_SYSTEM_CONTROL] = SpoolPass;
	driver->MajorFunction[IRP_MJ_PNP] = SpoolPnp;
	driver->MajorFunction[IRP_MJ_POWER] = SpoolPower;
	driver->DriverExtension->AddDevice = SpoolAddDevice;
	driver->DriverUnload = SpoolUnload;
	return STATUS_SUCCESS;
}
