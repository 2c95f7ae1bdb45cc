/*
 * A mailbox between two programs: a read waits until there is a letter, which is a number that a write brings. One
 * read waits at a time, and can be cancelled. There is one mailbox, with a lock of its own.
 *
 * Each of the macros BUG_… plants a defect; ../expect says which rule finds it.
 */
#include "../../../frontend/slic/library/rules/wdm.h"

typedef struct _MAILBOX {
	KSPIN_LOCK Lock;
	PIRP Waiting;  /* the read that waits, marked pending */
	ULONG Letters; /* that nobody has read */
	int Open;
} MAILBOX;

static MAILBOX Box;
static PDEVICE_OBJECT Device;

static DRIVER_DISPATCH BoxCreate, BoxClose, BoxRead, BoxWrite, BoxCleanup;
static DRIVER_CANCEL BoxCancel;

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

/* BoxCancel is called with the cancel spin lock: somebody does not want to wait any longer. */
static void BoxCancel(PDEVICE_OBJECT device, PIRP irp)
{
	KIRQL irql;

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
	KeReleaseSpinLock(&Box.Lock, irql);
	return Complete(irp, STATUS_SUCCESS, 0);
}

/* BoxRead reads a letter, or waits for one. */
static NTSTATUS BoxRead(PDEVICE_OBJECT device, PIRP irp)
{
	NTSTATUS status;
	KIRQL irql;

	KeAcquireSpinLock(&Box.Lock, &irql);
	if (Box.Letters > 0) {
		Box.Letters--;
		KeReleaseSpinLock(&Box.Lock, irql);
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

/* BoxCleanup ends the wait: the program that reads goes. */
static NTSTATUS BoxCleanup(PDEVICE_OBJECT device, PIRP irp)
{
	PIRP reader;
	KIRQL irql;

	KeAcquireSpinLock(&Box.Lock, &irql);
	reader = TakeWaiting();
	KeReleaseSpinLock(&Box.Lock, irql);
	if (reader)
		Complete(reader, STATUS_CANCELLED, 0);
	return Complete(irp, STATUS_SUCCESS, 0);
}

static void BoxUnload(PDRIVER_OBJECT driver)
{
	IoDeleteDevice(Device);
}

NTSTATUS DriverEntry(PDRIVER_OBJECT driver, PUNICODE_STRING path)
{
	NTSTATUS status = IoCreateDevice(driver, 0, path, 0x22, 0, FALSE, &Device);

	if (!NT_SUCCESS(status))
		return status;
	driver->MajorFunction[IRP_MJ_CREATE] = BoxCreate;
	driver->MajorFunction[IRP_MJ_CLOSE] = BoxClose;
	driver->MajorFunction[IRP_MJ_READ] = BoxRead;
	driver->MajorFunction[IRP_MJ_WRITE] = BoxWrite;
	driver->MajorFunction[IRP_MJ_CLEANUP] = BoxCleanup;
	driver->DriverUnload = BoxUnload;
	return STATUS_SUCCESS;
}
