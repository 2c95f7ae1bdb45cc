/*
 * An upper filter of a stack of disks: it counts the transfers that succeed, and passes everything down. Once a
 * second it works out how many there were; as long as the disk sleeps, transfers are refused.
 *
 * Each of the macros BUG_… plants a defect; ../rows says which rule finds it.
 */
#include "../../../frontend/slic/library/rules/wdm.h"

#define IOCTL_COUNT 0x22e004
#define IOCTL_RATE 0x22e008
#define IOCTL_RESET 0x22e00c

enum state { Stopped, Started, Asleep, Gone };

/* COUNTS is the answer to IOCTL_COUNT. */
typedef struct _COUNTS {
	ULONG Reads, Writes, Failures;
} COUNTS, *PCOUNTS;

typedef struct _FILTER {
	PDEVICE_OBJECT Self, Lower;
	enum state State, Before; /* Before: that of before a query to stop or to remove */
	KSPIN_LOCK Lock;          /* of the numbers below */
	COUNTS Counts;
	ULONG Last, Rate; /* transfers at the last tick, and those since the one before */
	ULONG Flushes;
} FILTER, *PFILTER;

static DRIVER_DISPATCH FilterPass, FilterPnp, FilterTransfer, FilterControl, FilterInternal, FilterPower, FilterCreate, FilterFlush;
static IO_COMPLETION_ROUTINE FilterStarted, FilterTransferred, FilterPowered;
static IO_TIMER_ROUTINE FilterTick;

static PFILTER ExtensionOf(PDEVICE_OBJECT device) { return device->DeviceExtension; }

/* Complete completes a request that the filter handles itself. */
static NTSTATUS Complete(PIRP irp, NTSTATUS status, ULONG_PTR information)
{
	irp->IoStatus.Status = status;
	irp->IoStatus.Information = information;
	IoCompleteRequest(irp, 0);
	return status;
}

/* FilterPass passes a request down, and is done with it. */
static NTSTATUS FilterPass(PDEVICE_OBJECT device, PIRP irp)
{
	IoSkipCurrentIrpStackLocation(irp);
	return IoCallDriver(ExtensionOf(device)->Lower, irp);
}

/* FilterCreate opens the device, if it is there. */
static NTSTATUS FilterCreate(PDEVICE_OBJECT device, PIRP irp)
{
	if (ExtensionOf(device)->State == Gone) {
#ifdef BUG_CREATE_LOST
		return STATUS_SUCCESS;
#else
		return Complete(irp, STATUS_NO_SUCH_DEVICE, 0);
#endif
	}
	return FilterPass(device, irp);
}

/* FilterFlush passes a flush or a shutdown down, and counts it. */
static NTSTATUS FilterFlush(PDEVICE_OBJECT device, PIRP irp)
{
	PFILTER filter = ExtensionOf(device);
	KIRQL irql;

	KeAcquireSpinLock(&filter->Lock, &irql);
	filter->Flushes++;
#ifdef BUG_FLUSH_KEEPS_LOCK
	if (filter->State == Gone)
		return Complete(irp, STATUS_NO_SUCH_DEVICE, 0);
#endif
	KeReleaseSpinLock(&filter->Lock, irql);
	return FilterPass(device, irp);
}

/* FilterTick works out the rate, once a second. */
static void FilterTick(PDEVICE_OBJECT device, void *context)
{
	PFILTER filter = context;
	KIRQL irql;
	ULONG now;

	KeAcquireSpinLock(&filter->Lock, &irql);
	now = filter->Counts.Reads + filter->Counts.Writes;
	filter->Rate = now - filter->Last;
	filter->Last = now;
	KeReleaseSpinLock(&filter->Lock, irql);
}

/* FilterPowered is called when the drivers below have changed the power of the disk. */
static NTSTATUS FilterPowered(PDEVICE_OBJECT device, PIRP irp, void *context)
{
	PFILTER filter = context;

	if (irp->PendingReturned)
		IoMarkIrpPending(irp);
	if (NT_SUCCESS(irp->IoStatus.Status) && filter->State == Asleep)
		filter->State = Started;
	PoStartNextPowerIrp(irp);
	return STATUS_SUCCESS;
}

/* FilterPower passes a power request down. A disk that goes to sleep is asleep before that, and one that wakes up is
 * awake when the drivers below say so. */
static NTSTATUS FilterPower(PDEVICE_OBJECT device, PIRP irp)
{
	PFILTER filter = ExtensionOf(device);
	PIO_STACK_LOCATION stack = IoGetCurrentIrpStackLocation(irp);
	NTSTATUS status;

	if (stack->MinorFunction == IRP_MN_SET_POWER && stack->Parameters.Power.Type == DevicePowerState) {
		if (stack->Parameters.Power.State == PowerDeviceD0) {
			IoCopyCurrentIrpStackLocationToNext(irp);
			IoSetCompletionRoutine(irp, FilterPowered, filter, TRUE, TRUE, TRUE);
			return PoCallDriver(filter->Lower, irp);
		}
		if (filter->State == Started)
			filter->State = Asleep;
	}
	PoStartNextPowerIrp(irp);
	IoSkipCurrentIrpStackLocation(irp);
	status = PoCallDriver(filter->Lower, irp);
#ifdef BUG_POWER_STATUS
	if (!NT_SUCCESS(status))
		status = STATUS_UNSUCCESSFUL;
#endif
	return status;
}

/* Count counts a transfer that is done. */
static void Count(PFILTER filter, BOOLEAN write, NTSTATUS status)
{
	KIRQL irql;

	KeAcquireSpinLock(&filter->Lock, &irql);
	if (!NT_SUCCESS(status))
		filter->Counts.Failures++;
	else if (write)
		filter->Counts.Writes++;
	else
		filter->Counts.Reads++;
	KeReleaseSpinLock(&filter->Lock, irql);
}

/* FilterTransferred counts a transfer when the lower driver is done with it. */
static NTSTATUS FilterTransferred(PDEVICE_OBJECT device, PIRP irp, void *context)
{
	if (irp->PendingReturned)
		IoMarkIrpPending(irp);
	Count(context, IoGetCurrentIrpStackLocation(irp)->MajorFunction == IRP_MJ_WRITE, irp->IoStatus.Status);
	return STATUS_SUCCESS;
}

/* FilterTransfer passes a read or write down, and wants to know its end. */
static NTSTATUS FilterTransfer(PDEVICE_OBJECT device, PIRP irp)
{
	PFILTER filter = ExtensionOf(device);

	if (filter->State != Started) {
		Complete(irp, STATUS_NO_SUCH_DEVICE, 0);
#ifdef BUG_TRANSFER_TWICE
		IoSkipCurrentIrpStackLocation(irp);
		return IoCallDriver(filter->Lower, irp);
#else
		return STATUS_NO_SUCH_DEVICE;
#endif
	}
	IoCopyCurrentIrpStackLocationToNext(irp);
	IoSetCompletionRoutine(irp, FilterTransferred, filter, TRUE, TRUE, TRUE);
	return IoCallDriver(filter->Lower, irp);
}

/* AnswerCounts stores the numbers into the buffer of a request, if that has room. */
static NTSTATUS AnswerCounts(PFILTER filter, PIRP irp, ULONG length)
{
	PCOUNTS counts = irp->AssociatedIrp.SystemBuffer;
	KIRQL irql;

	if (!counts || length < sizeof(COUNTS))
		return STATUS_BUFFER_TOO_SMALL;
	KeAcquireSpinLock(&filter->Lock, &irql);
	*counts = filter->Counts;
	KeReleaseSpinLock(&filter->Lock, irql);
	return STATUS_SUCCESS;
}

/* FilterControl answers the filter's own requests, and passes others down. */
static NTSTATUS FilterControl(PDEVICE_OBJECT device, PIRP irp)
{
	PFILTER filter = ExtensionOf(device);
	PIO_STACK_LOCATION stack = IoGetCurrentIrpStackLocation(irp);
	NTSTATUS status = STATUS_SUCCESS;
	ULONG_PTR n = 0;
	KIRQL irql;

	switch (stack->Parameters.DeviceIoControl.IoControlCode) {
	case IOCTL_COUNT:
		status = AnswerCounts(filter, irp, stack->Parameters.DeviceIoControl.OutputBufferLength);
		if (NT_SUCCESS(status))
			n = sizeof(COUNTS);
		break;
	case IOCTL_RATE:
		if (filter->State == Gone)
			status = STATUS_NO_SUCH_DEVICE;
		else
			n = filter->Rate;
		break;
	case IOCTL_RESET:
		KeAcquireSpinLock(&filter->Lock, &irql);
		filter->Counts.Reads = filter->Counts.Writes = filter->Counts.Failures = 0;
		filter->Last = 0;
		filter->Flushes = 0;
		KeReleaseSpinLock(&filter->Lock, irql);
		break;
	default:
		return FilterPass(device, irp);
	}
#ifdef BUG_CONTROL_PENDING
	if (n == 0) {
		Complete(irp, status, n);
		return STATUS_PENDING;
	}
#endif
	return Complete(irp, status, n);
}

/* FilterInternal passes requests of other drivers down, but none to a disk that is gone. */
static NTSTATUS FilterInternal(PDEVICE_OBJECT device, PIRP irp)
{
	switch (ExtensionOf(device)->State) {
	case Gone:
		return Complete(irp, STATUS_NO_SUCH_DEVICE, 0);
	case Stopped:
		return Complete(irp, STATUS_DEVICE_NOT_READY, 0);
	default:
		return FilterPass(device, irp);
	}
}

/* FilterStarted is called when the drivers below have started the device. */
static NTSTATUS FilterStarted(PDEVICE_OBJECT device, PIRP irp, void *context)
{
	PFILTER filter = context;

	if (irp->PendingReturned)
		IoMarkIrpPending(irp);
	if (NT_SUCCESS(irp->IoStatus.Status)) {
		filter->State = Started;
		IoStartTimer(filter->Self);
	}
#ifdef BUG_STARTED_BOTH
	KeSetEvent((KEVENT *)filter->Self, 0, FALSE);
#endif
	return STATUS_SUCCESS;
}

/* Capabilities lets the drivers below say what the disk can do, and waits for that. */
static NTSTATUS Capabilities(PFILTER filter, PIRP irp)
{
	NTSTATUS status;

	if (!IoForwardIrpSynchronously(filter->Lower, irp))
		return Complete(irp, STATUS_UNSUCCESSFUL, 0);
	status = irp->IoStatus.Status;
	IoCompleteRequest(irp, 0);
	return status;
}

/* Remove takes the filter out of the stack. */
static void Remove(PFILTER filter)
{
	PDEVICE_OBJECT self = filter->Self;

	IoStopTimer(self);
	IoDetachDevice(filter->Lower);
	IoDeleteDevice(self);
}

/* FilterPnp handles the requests by which devices come and go. */
static NTSTATUS FilterPnp(PDEVICE_OBJECT device, PIRP irp)
{
	PFILTER filter = ExtensionOf(device);
	PIO_STACK_LOCATION stack = IoGetCurrentIrpStackLocation(irp);
	NTSTATUS status;

	switch (stack->MinorFunction) {
	case IRP_MN_START_DEVICE:
#ifdef BUG_START_WAITS
		if (!IoForwardIrpSynchronously(filter->Lower, irp))
			return Complete(irp, STATUS_UNSUCCESSFUL, 0);
		return Complete(irp, irp->IoStatus.Status, 0);
#else
		IoCopyCurrentIrpStackLocationToNext(irp);
		IoSetCompletionRoutine(irp, FilterStarted, filter, TRUE, TRUE, TRUE);
		return IoCallDriver(filter->Lower, irp);
#endif
	case IRP_MN_QUERY_CAPABILITIES:
		return Capabilities(filter, irp);
	case IRP_MN_QUERY_STOP_DEVICE:
	case IRP_MN_QUERY_REMOVE_DEVICE:
		filter->Before = filter->State;
		filter->State = Stopped;
		irp->IoStatus.Status = STATUS_SUCCESS;
		break;
	case IRP_MN_CANCEL_STOP_DEVICE:
	case IRP_MN_CANCEL_REMOVE_DEVICE:
		filter->State = filter->Before;
		irp->IoStatus.Status = STATUS_SUCCESS;
		break;
	case IRP_MN_STOP_DEVICE:
		filter->State = Stopped;
		IoStopTimer(device);
		irp->IoStatus.Status = STATUS_SUCCESS;
		break;
	case IRP_MN_SURPRISE_REMOVAL:
		filter->State = Gone;
#ifdef BUG_SURPRISE_DELETES
		Remove(filter);
#endif
		irp->IoStatus.Status = STATUS_SUCCESS;
		break;
	case IRP_MN_REMOVE_DEVICE:
		filter->State = Gone;
		irp->IoStatus.Status = STATUS_SUCCESS;
#ifdef BUG_REMOVE_COMPLETES
		return Complete(irp, STATUS_SUCCESS, 0);
#endif
		status = FilterPass(device, irp);
		Remove(filter);
		return status;
	}
	return FilterPass(device, irp);
}

/* FilterAddDevice puts a filter on top of the stack of a device that was found. */
static NTSTATUS FilterAddDevice(PDRIVER_OBJECT driver, PDEVICE_OBJECT physical)
{
	PDEVICE_OBJECT device, lower;
	PFILTER filter;
	NTSTATUS status;

	status = IoCreateDevice(driver, sizeof(FILTER), 0, 0x07, 0, FALSE, &device);
	if (!NT_SUCCESS(status))
		return status;
	filter = ExtensionOf(device);
	status = IoInitializeTimer(device, FilterTick, filter);
	if (!NT_SUCCESS(status)) {
		IoDeleteDevice(device);
		return status;
	}
	lower = IoAttachDeviceToDeviceStack(device, physical);
	if (!lower) {
#ifndef BUG_ADD_LEAVES
		IoDeleteDevice(device);
#endif
		return STATUS_NO_SUCH_DEVICE;
	}
	KeInitializeSpinLock(&filter->Lock);
	filter->Self = device;
	filter->Lower = lower;
	filter->State = filter->Before = Stopped;
	filter->Counts.Reads = filter->Counts.Writes = filter->Counts.Failures = 0;
	filter->Last = filter->Rate = filter->Flushes = 0;
#ifdef BUG_ADD_INITIALIZING
	device->Flags |= lower->Flags & (DO_BUFFERED_IO | DO_POWER_PAGABLE);
#else
	device->Flags = lower->Flags & (DO_BUFFERED_IO | DO_POWER_PAGABLE);
#endif
	return STATUS_SUCCESS;
}

static void FilterUnload(PDRIVER_OBJECT driver)
{
}

NTSTATUS DriverEntry(PDRIVER_OBJECT driver, PUNICODE_STRING path)
{
	int i;

	for (i = 0; i < 28; i++)
		driver->MajorFunction[i] = FilterPass;
	driver->MajorFunction[IRP_MJ_CREATE] = FilterCreate;
	driver->MajorFunction[IRP_MJ_READ] = FilterTransfer;
	driver->MajorFunction[IRP_MJ_WRITE] = FilterTransfer;
	driver->MajorFunction[IRP_MJ_FLUSH_BUFFERS] = FilterFlush;
	driver->MajorFunction[IRP_MJ_SHUTDOWN] = FilterFlush;
	driver->MajorFunction[IRP_MJ_DEVICE_CONTROL] = FilterControl;
	driver->MajorFunction[IRP_MJ_INTERNAL_DEVICE_CONTROL] = FilterInternal;
	driver->MajorFunction[IRP_MJ_PNP] = FilterPnp;
	driver->MajorFunction[IRP_MJ_POWER] = FilterPower;
	driver->DriverExtension->AddDevice = FilterAddDevice;
	driver->DriverUnload = FilterUnload;
	return STATUS_SUCCESS;
}
