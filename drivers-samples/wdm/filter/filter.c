/*
 * An upper filter of a stack of disks: it counts the transfers that succeed, and passes everything down.
 *
 * Each of the macros BUG_… plants a defect; ../expect says which rule finds it.
 */
#include "../../../frontend/slic/library/rules/wdm.h"

#define IOCTL_COUNT 0x22e004

enum state { Stopped, Started, Gone };

typedef struct _FILTER {
	PDEVICE_OBJECT Self, Lower;
	enum state State;
	ULONG Transfers, Failures;
} FILTER, *PFILTER;

static DRIVER_DISPATCH FilterPass, FilterPnp, FilterTransfer, FilterControl, FilterPower, FilterCreate;
static IO_COMPLETION_ROUTINE FilterStarted, FilterTransferred;

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

/* FilterPower passes a power request down. */
static NTSTATUS FilterPower(PDEVICE_OBJECT device, PIRP irp)
{
	NTSTATUS status;

	IoSkipCurrentIrpStackLocation(irp);
	status = PoCallDriver(ExtensionOf(device)->Lower, irp);
#ifdef BUG_POWER_STATUS
	if (!NT_SUCCESS(status))
		status = STATUS_UNSUCCESSFUL;
#endif
	return status;
}

/* FilterTransferred counts a transfer when the lower driver is done with it. */
static NTSTATUS FilterTransferred(PDEVICE_OBJECT device, PIRP irp, void *context)
{
	PFILTER filter = context;

	if (irp->PendingReturned)
		IoMarkIrpPending(irp);
	if (NT_SUCCESS(irp->IoStatus.Status))
		filter->Transfers++;
	else
		filter->Failures++;
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

/* FilterControl answers the filter's own request, and passes others down. */
static NTSTATUS FilterControl(PDEVICE_OBJECT device, PIRP irp)
{
	PFILTER filter = ExtensionOf(device);
	NTSTATUS status = STATUS_SUCCESS;
	ULONG_PTR n = 0;

	if (!Ready(IOCTL_COUNT))
		return FilterPass(device, irp);
	if (filter->State == Gone)
		status = STATUS_NO_SUCH_DEVICE;
	else
		n = filter->Transfers + filter->Failures;
#ifdef BUG_CONTROL_PENDING
	if (n == 0) {
		Complete(irp, status, n);
		return STATUS_PENDING;
	}
#endif
	return Complete(irp, status, n);
}

/* FilterStarted is called when the drivers below have started the device. */
static NTSTATUS FilterStarted(PDEVICE_OBJECT device, PIRP irp, void *context)
{
	PFILTER filter = context;

	if (irp->PendingReturned)
		IoMarkIrpPending(irp);
	if (NT_SUCCESS(irp->IoStatus.Status))
		filter->State = Started;
#ifdef BUG_STARTED_BOTH
	KeSetEvent((KEVENT *)filter->Self, 0, FALSE);
#endif
	return STATUS_SUCCESS;
}

/* Remove takes the filter out of the stack. */
static void Remove(PFILTER filter)
{
	PDEVICE_OBJECT self = filter->Self;

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
	lower = IoAttachDeviceToDeviceStack(device, physical);
	if (!lower) {
#ifndef BUG_ADD_LEAVES
		IoDeleteDevice(device);
#endif
		return STATUS_NO_SUCH_DEVICE;
	}
	filter = ExtensionOf(device);
	filter->Self = device;
	filter->Lower = lower;
	filter->State = Stopped;
	filter->Transfers = 0;
	filter->Failures = 0;
#ifdef BUG_ADD_INITIALIZING
	device->Flags |= lower->Flags & DO_BUFFERED_IO;
#else
	device->Flags = lower->Flags & DO_BUFFERED_IO;
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
	driver->MajorFunction[IRP_MJ_DEVICE_CONTROL] = FilterControl;
	driver->MajorFunction[IRP_MJ_PNP] = FilterPnp;
	driver->MajorFunction[IRP_MJ_POWER] = FilterPower;
	driver->DriverExtension->AddDevice = FilterAddDevice;
	driver->DriverUnload = FilterUnload;
	return STATUS_SUCCESS;
}
