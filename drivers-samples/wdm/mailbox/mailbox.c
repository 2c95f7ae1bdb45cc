/*
 * A mailbox between two programs: a read waits until there is a letter, which is a number that a write brings. One
 * read waits at a time, and can be cancelled; it does not wait longer than the time that a program has set. Another
 * request waits until the mailbox is empty. There is one mailbox, with a lock of its own.
 *
 * Each of the macros BUG_… plants a defect; ../rows says which rule finds it.
 */
#include "../../../frontend/slic/library/rules/wdm.h"

#define IOCTL_LETTERS 0x222004
#define IOCTL_DISCARD 0x222008
#define IOCTL_PATIENCE 0x22200c
#define IOCTL_EMPTY 0x222010
#define PATIENCE 30 /* seconds that a read waits if nobody says otherwise */
#define ROOM 64     /* letters */

typedef struct _MAILBOX {
	KSPIN_LOCK Lock;
	PIRP Waiting;  /* the read that waits, marked pending */
	PIRP Empty;    /* the request that waits until there is no letter, marked pending */
	ULONG Letters; /* that nobody has read */
	ULONG Age, Patience; /* of Waiting, in seconds */
	ULONG Brought, TimedOut;
	int Open;
} MAILBOX;

static MAILBOX Box;
static PDEVICE_OBJECT Device;

static DRIVER_DISPATCH BoxCreate, BoxClose, BoxRead, BoxWrite, BoxCleanup, BoxControl, BoxFlush;
static DRIVER_CANCEL BoxCancel, BoxCancelEmpty;
static IO_TIMER_ROUTINE BoxTick;

/* Complete completes a request, which nobody has any more then. */
static NTSTATUS Complete(PIRP irp, NTSTATUS status, ULONG_PTR information)
{
	irp->IoStatus.Status = status;
	irp->IoStatus.Information = information;
	IoCompleteRequest(irp, 0);
	return status;
}

/* TakeWaiting takes the read that waits out of the mailbox; 0 if there is none, or it is being cancelled. */
static PIRP TakeWaiting(void)
{
	PIRP irp = Box.Waiting;

	if (!irp)
		return 0;
#ifndef BUG_CANCEL_ROUTINE_STAYS
	if (!IoSetCancelRoutine(irp, 0))
		return 0; /* the cancel routine completes it */
#endif
	Box.Waiting = 0;
	return irp;
}

/* TakeEmpty takes the request that waits until there is no letter, likewise. */
static PIRP TakeEmpty(void)
{
	PIRP irp = Box.Empty;

	if (!irp || !IoSetCancelRoutine(irp, 0))
		return 0;
	Box.Empty = 0;
	return irp;
}

/* BoxCancel is called with the cancel spin lock: somebody does not want to wait for a letter any longer. */
static void BoxCancel(PDEVICE_OBJECT device, PIRP irp)
{
	KIRQL irql;

#ifdef BUG_CANCEL_SLEEPS
	KeDelayExecutionThread(0, FALSE, 0);
#endif
#ifndef BUG_CANCEL_KEEPS_LOCK
	IoReleaseCancelSpinLock(irp->CancelIrql);
#endif
	KeAcquireSpinLock(&Box.Lock, &irql);
	if (Box.Waiting == irp)
		Box.Waiting = 0;
#ifdef BUG_CANCEL_LOCKED
	Complete(irp, STATUS_CANCELLED, 0);
	KeReleaseSpinLock(&Box.Lock, irql);
#else
	KeReleaseSpinLock(&Box.Lock, irql);
	Complete(irp, STATUS_CANCELLED, 0);
#endif
}

/* BoxCancelEmpty is called with the cancel spin lock: somebody does not want to wait for an empty mailbox. */
static void BoxCancelEmpty(PDEVICE_OBJECT device, PIRP irp)
{
	KIRQL irql;

	IoReleaseCancelSpinLock(irp->CancelIrql);
	KeAcquireSpinLock(&Box.Lock, &irql);
	if (Box.Empty == irp)
		Box.Empty = 0;
	KeReleaseSpinLock(&Box.Lock, irql);
	Complete(irp, STATUS_CANCELLED, 0);
}

/* BoxTick is called once a second, and ends the wait of a read that has lost its patience. */
static void BoxTick(PDEVICE_OBJECT device, void *context)
{
	PIRP reader = 0;
	KIRQL irql;

	KeAcquireSpinLock(&Box.Lock, &irql);
	if (Box.Waiting) {
		Box.Age++;
		if (Box.Age >= Box.Patience)
			reader = TakeWaiting();
	}
	if (reader)
		Box.TimedOut++;
	KeReleaseSpinLock(&Box.Lock, irql);
	if (reader)
		Complete(reader, STATUS_IO_TIMEOUT, 0);
}

static NTSTATUS BoxCreate(PDEVICE_OBJECT device, PIRP irp)
{
	NTSTATUS status = STATUS_SUCCESS;
	KIRQL irql;

	KeAcquireSpinLock(&Box.Lock, &irql);
	if (Box.Open >= 2)
		status = STATUS_DEVICE_BUSY;
	else
		Box.Open++;
	KeReleaseSpinLock(&Box.Lock, irql);
	return Complete(irp, status, 0);
}

static NTSTATUS BoxClose(PDEVICE_OBJECT device, PIRP irp)
{
	KIRQL irql;

	KeAcquireSpinLock(&Box.Lock, &irql);
	if (Box.Open > 0)
		Box.Open--;
	if (Box.Open == 0) {
		Box.Letters = 0;
		Box.Patience = PATIENCE;
	}
	KeReleaseSpinLock(&Box.Lock, irql);
	return Complete(irp, STATUS_SUCCESS, 0);
}

/* BoxRead reads a letter, or waits for one. */
static NTSTATUS BoxRead(PDEVICE_OBJECT device, PIRP irp)
{
	NTSTATUS status;
	PIRP waits = 0;
	KIRQL irql;

	KeAcquireSpinLock(&Box.Lock, &irql);
	if (Box.Letters > 0) {
		Box.Letters--;
		if (Box.Letters == 0)
			waits = TakeEmpty();
		KeReleaseSpinLock(&Box.Lock, irql);
		if (waits)
			Complete(waits, STATUS_SUCCESS, 0);
		return Complete(irp, STATUS_SUCCESS, 1);
	}
	if (Box.Waiting) {
#ifdef BUG_READ_KEEPS_LOCK
		return Complete(irp, STATUS_DEVICE_BUSY, 0);
#else
		KeReleaseSpinLock(&Box.Lock, irql);
		return Complete(irp, STATUS_DEVICE_BUSY, 0);
#endif
	}
	IoSetCancelRoutine(irp, BoxCancel);
	if (irp->Cancel && IoSetCancelRoutine(irp, 0)) {
		KeReleaseSpinLock(&Box.Lock, irql);
		return Complete(irp, STATUS_CANCELLED, 0);
	}
#ifndef BUG_READ_UNMARKED
	IoMarkIrpPending(irp);
#endif
	Box.Waiting = irp;
	Box.Age = 0;
	status = STATUS_PENDING;
	KeReleaseSpinLock(&Box.Lock, irql);
#ifdef BUG_READ_STATUS
	status = STATUS_SUCCESS;
#endif
	return status;
}

/* BoxWrite brings a letter: to the read that waits, or for later. */
static NTSTATUS BoxWrite(PDEVICE_OBJECT device, PIRP irp)
{
	PIRP reader;
	KIRQL irql;

	KeAcquireSpinLock(&Box.Lock, &irql);
	if (Box.Letters >= ROOM) {
		KeReleaseSpinLock(&Box.Lock, irql);
		return Complete(irp, STATUS_DEVICE_BUSY, 0);
	}
	Box.Brought++;
	reader = TakeWaiting();
	if (!reader)
		Box.Letters++;
#ifdef BUG_WRITE_LOCKED
	if (reader)
		Complete(reader, STATUS_SUCCESS, 1);
	KeReleaseSpinLock(&Box.Lock, irql);
#else
	KeReleaseSpinLock(&Box.Lock, irql);
	if (reader)
		Complete(reader, STATUS_SUCCESS, 1);
#endif
#ifdef BUG_WRITE_TWICE
	if (reader)
		Complete(reader, STATUS_SUCCESS, 1);
#endif
	return Complete(irp, STATUS_SUCCESS, 1);
}

/* WaitForEmpty lets a request wait until there is no letter; the lock is held, and stays so. */
static NTSTATUS WaitForEmpty(PIRP irp)
{
	if (Box.Letters == 0)
		return STATUS_SUCCESS;
	if (Box.Empty)
		return STATUS_DEVICE_BUSY;
	IoSetCancelRoutine(irp, BoxCancelEmpty);
	if (irp->Cancel && IoSetCancelRoutine(irp, 0))
		return STATUS_CANCELLED;
	IoMarkIrpPending(irp);
	Box.Empty = irp;
	return STATUS_PENDING;
}

/* BoxControl tells how many letters there are, throws them away, sets the time that a read waits, or waits itself. */
static NTSTATUS BoxControl(PDEVICE_OBJECT device, PIRP irp)
{
	PIO_STACK_LOCATION stack = IoGetCurrentIrpStackLocation(irp);
	NTSTATUS status = STATUS_SUCCESS;
	PIRP waits = 0;
	ULONG n = 0;
	KIRQL irql;

	KeAcquireSpinLock(&Box.Lock, &irql);
	switch (stack->Parameters.DeviceIoControl.IoControlCode) {
	case IOCTL_LETTERS:
		n = Box.Letters;
		break;
	case IOCTL_DISCARD:
		n = Box.Letters;
		Box.Letters = 0;
		waits = TakeEmpty();
		break;
	case IOCTL_PATIENCE:
		if (stack->Parameters.DeviceIoControl.InputBufferLength < sizeof(ULONG) || !irp->AssociatedIrp.SystemBuffer)
			status = STATUS_INVALID_PARAMETER;
		else
			Box.Patience = *(ULONG *)irp->AssociatedIrp.SystemBuffer;
		break;
	case IOCTL_EMPTY:
		status = WaitForEmpty(irp);
		break;
	default:
		status = STATUS_INVALID_DEVICE_REQUEST;
	}
	KeReleaseSpinLock(&Box.Lock, irql);
	if (waits)
		Complete(waits, STATUS_SUCCESS, 0);
#ifdef BUG_CONTROL_COMPLETES
	return Complete(irp, status, n);
#else
	return status == STATUS_PENDING ? status : Complete(irp, status, n);
#endif
}

/* BoxFlush throws all letters away. */
static NTSTATUS BoxFlush(PDEVICE_OBJECT device, PIRP irp)
{
	PIRP waits;
	KIRQL irql;

	KeAcquireSpinLock(&Box.Lock, &irql);
	Box.Letters = 0;
	waits = TakeEmpty();
	KeReleaseSpinLock(&Box.Lock, irql);
	if (waits)
		Complete(waits, STATUS_SUCCESS, 0);
	return Complete(irp, STATUS_SUCCESS, 0);
}

/* BoxCleanup ends all waits: the program that waits goes. */
static NTSTATUS BoxCleanup(PDEVICE_OBJECT device, PIRP irp)
{
	PIRP reader, waits;
	KIRQL irql;

	KeAcquireSpinLock(&Box.Lock, &irql);
	reader = TakeWaiting();
	waits = TakeEmpty();
	KeReleaseSpinLock(&Box.Lock, irql);
	if (reader)
		Complete(reader, STATUS_CANCELLED, 0);
	if (waits)
		Complete(waits, STATUS_CANCELLED, 0);
	return Complete(irp, STATUS_SUCCESS, 0);
}

static void BoxUnload(PDRIVER_OBJECT driver)
{
	IoStopTimer(Device);
	IoDeleteDevice(Device);
}

NTSTATUS DriverEntry(PDRIVER_OBJECT driver, PUNICODE_STRING path)
{
	NTSTATUS status = IoCreateDevice(driver, 0, path, 0x22, 0, FALSE, &Device);

	if (!NT_SUCCESS(status))
		return status;
	KeInitializeSpinLock(&Box.Lock);
	Box.Patience = PATIENCE;
	status = IoInitializeTimer(Device, BoxTick, 0);
	if (!NT_SUCCESS(status)) {
		IoDeleteDevice(Device);
		return status;
	}
	driver->MajorFunction[IRP_MJ_CREATE] = BoxCreate;
	driver->MajorFunction[IRP_MJ_CLOSE] = BoxClose;
	driver->MajorFunction[IRP_MJ_READ] = BoxRead;
	driver->MajorFunction[IRP_MJ_WRITE] = BoxWrite;
	driver->MajorFunction[IRP_MJ_FLUSH_BUFFERS] = BoxFlush;
	driver->MajorFunction[IRP_MJ_DEVICE_CONTROL] = BoxControl;
	driver->MajorFunction[IRP_MJ_CLEANUP] = BoxCleanup;
	driver->DriverUnload = BoxUnload;
	IoStartTimer(Device);
	return STATUS_SUCCESS;
}
