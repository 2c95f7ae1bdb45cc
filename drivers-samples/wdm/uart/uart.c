/*
 * The driver of a serial port. Reads wait in a queue of the driver until bytes have come, and can be cancelled; writes
 * are packets that the system starts one after the other. A timer asks the port for what it has, since it has no
 * interrupt, and a deferred call does the work.
 *
 * Each of the macros BUG_… plants a defect; ../rows says which rule finds it.
 */
#include "../../../frontend/slic/library/rules/wdm.h"

#define IOCTL_RATE 0x1b0004
#define IOCTL_PURGE 0x1b0008
#define IOCTL_STATUS 0x1b000c
#define ROOM 256               /* bytes that nobody has read */
#define INTERVAL (-2 * 100000) /* of the timer, in units of 100 ns from now on */

/* The registers of the port. */
extern UCHAR PortStatus(void *port), PortReceive(void *port);
extern void PortSend(void *port, UCHAR byte), PortRate(void *port, ULONG rate);
#define RECEIVED 1
#define IDLE 2

typedef struct _UART {
	PDEVICE_OBJECT Self, Lower;
	IO_REMOVE_LOCK RemoveLock;
	KSPIN_LOCK Lock;   /* of the reads and of the bytes */
	LIST_ENTRY Reads;  /* that wait, marked pending, with a cancel routine */
	UCHAR Bytes[ROOM]; /* a ring */
	ULONG Head, Count;
	KSPIN_LOCK PortLock; /* of the registers */
	void *Port;
	PIRP Writing; /* the packet that was started */
	ULONG Sent;
	KTIMER Timer;
	KDPC Dpc;
	ULONG Rate, Lost;
	BOOLEAN Started, Awake;
} UART, *PUART;

static DRIVER_DISPATCH UartCreate, UartClose, UartRead, UartWrite, UartControl, UartCleanup, UartPnp, UartPower, UartPass;
static DRIVER_CANCEL UartCancelRead;
static DRIVER_STARTIO UartStartIo;
static KDEFERRED_ROUTINE UartDpc;

static PUART ExtensionOf(PDEVICE_OBJECT device) { return device->DeviceExtension; }

/* Complete completes a request. */
static NTSTATUS Complete(PIRP irp, NTSTATUS status, ULONG_PTR information)
{
	irp->IoStatus.Status = status;
	irp->IoStatus.Information = information;
	IoCompleteRequest(irp, 0);
	return status;
}

/* UartPass passes a request down while the device is there. */
static NTSTATUS UartPass(PDEVICE_OBJECT device, PIRP irp)
{
	PUART uart = ExtensionOf(device);
	NTSTATUS status = IoAcquireRemoveLock(&uart->RemoveLock, irp);

	if (!NT_SUCCESS(status))
		return Complete(irp, status, 0);
	IoSkipCurrentIrpStackLocation(irp);
	status = IoCallDriver(uart->Lower, irp);
	IoReleaseRemoveLock(&uart->RemoveLock, irp);
	return status;
}

/* UartCreate opens the port, if it has started. */
static NTSTATUS UartCreate(PDEVICE_OBJECT device, PIRP irp)
{
	PUART uart = ExtensionOf(device);

	return Complete(irp, uart->Started ? STATUS_SUCCESS : STATUS_DEVICE_NOT_READY, 0);
}

static NTSTATUS UartClose(PDEVICE_OBJECT device, PIRP irp)
{
	return Complete(irp, STATUS_SUCCESS, 0);
}

/* Ask lets the timer look at the port soon. */
static void Ask(PUART uart)
{
	LARGE_INTEGER due;

	due.QuadPart = INTERVAL;
	KeSetTimer(&uart->Timer, due, &uart->Dpc);
}

/* SetRate tells the port how fast it is; nothing else may use the port meanwhile. */
static void SetRate(PUART uart, ULONG rate)
{
	KIRQL irql;

	KeRaiseIrql(DISPATCH_LEVEL, &irql);
	KeAcquireSpinLockAtDpcLevel(&uart->PortLock);
	uart->Rate = rate;
	PortRate(uart->Port, rate);
	KeReleaseSpinLockFromDpcLevel(&uart->PortLock);
#ifndef BUG_RATE_KEEPS_LEVEL
	KeLowerIrql(irql);
#endif
}

/* Keep puts a byte into the ring, whose lock is held, if there is room. */
static void Keep(PUART uart, UCHAR byte)
{
	if (uart->Count >= ROOM) {
		uart->Lost++;
		return;
	}
	uart->Bytes[(uart->Head + uart->Count) % ROOM] = byte;
	uart->Count++;
}

/* TakeRead takes the first read out of the queue, whose lock is held; 0 if there is none that is not being cancelled. */
static PIRP TakeRead(PUART uart)
{
	LIST_ENTRY *entry;
	PIRP irp;

	while (!IsListEmpty(&uart->Reads)) {
		entry = RemoveHeadList(&uart->Reads);
		irp = CONTAINING_RECORD(entry, IRP, Tail.Overlay.ListEntry);
		if (IoSetCancelRoutine(irp, 0))
			return irp;
		/* The cancel routine will take it out once more, and completes it. */
		InitializeListHead(entry);
	}
	return 0;
}

/* UartCancelRead is called with the cancel spin lock: somebody does not want to wait for bytes any longer. */
static void UartCancelRead(PDEVICE_OBJECT device, PIRP irp)
{
	PUART uart = ExtensionOf(device);
	KIRQL irql;

#ifndef BUG_CANCEL_KEEPS_LOCK
	IoReleaseCancelSpinLock(irp->CancelIrql);
#endif
	KeAcquireSpinLock(&uart->Lock, &irql);
	RemoveEntryList(&irp->Tail.Overlay.ListEntry);
	KeReleaseSpinLock(&uart->Lock, irql);
	Complete(irp, STATUS_CANCELLED, 0);
}

/* UartRead takes a byte, or waits for one. */
static NTSTATUS UartRead(PDEVICE_OBJECT device, PIRP irp)
{
	PUART uart = ExtensionOf(device);
	KIRQL irql;

	if (!uart->Started || !uart->Awake)
		return Complete(irp, STATUS_DEVICE_NOT_READY, 0);
	KeAcquireSpinLock(&uart->Lock, &irql);
	if (uart->Count > 0) {
		uart->Head = (uart->Head + 1) % ROOM;
		uart->Count--;
		KeReleaseSpinLock(&uart->Lock, irql);
		return Complete(irp, STATUS_SUCCESS, 1);
	}
	IoSetCancelRoutine(irp, UartCancelRead);
	if (irp->Cancel && IoSetCancelRoutine(irp, 0)) {
		KeReleaseSpinLock(&uart->Lock, irql);
		return Complete(irp, STATUS_CANCELLED, 0);
	}
#ifdef BUG_READ_UNMARKED
	InsertTailList(&uart->Reads, &irp->Tail.Overlay.ListEntry);
	KeReleaseSpinLock(&uart->Lock, irql);
	IoMarkIrpPending(irp);
#else
	IoMarkIrpPending(irp);
	InsertTailList(&uart->Reads, &irp->Tail.Overlay.ListEntry);
	KeReleaseSpinLock(&uart->Lock, irql);
#endif
	Ask(uart);
	return STATUS_PENDING;
}

/* UartWrite lets the system start a write when the ones before are done. */
static NTSTATUS UartWrite(PDEVICE_OBJECT device, PIRP irp)
{
	PUART uart = ExtensionOf(device);

	if (!uart->Started || !uart->Awake)
		return Complete(irp, STATUS_DEVICE_NOT_READY, 0);
	if (!irp->AssociatedIrp.SystemBuffer || IoGetCurrentIrpStackLocation(irp)->Parameters.Write.Length == 0)
		return Complete(irp, STATUS_INVALID_PARAMETER, 0);
#ifndef BUG_WRITE_UNMARKED
	IoMarkIrpPending(irp);
#endif
	IoStartPacket(device, irp, 0, 0);
#ifdef BUG_WRITE_STATUS
	return STATUS_SUCCESS;
#else
	return STATUS_PENDING;
#endif
}

/* UartStartIo is called with one write after the other: the deferred call sends its bytes. */
static void UartStartIo(PDEVICE_OBJECT device, PIRP irp)
{
	PUART uart = ExtensionOf(device);
	KIRQL irql;

	KeAcquireSpinLock(&uart->PortLock, &irql);
	if (irp->Cancel || !uart->Awake) {
#ifdef BUG_NEXT_LOCKED
		IoStartNextPacket(device, FALSE);
		KeReleaseSpinLock(&uart->PortLock, irql);
		Complete(irp, STATUS_CANCELLED, 0);
#else
		KeReleaseSpinLock(&uart->PortLock, irql);
		Complete(irp, STATUS_CANCELLED, 0);
		IoStartNextPacket(device, FALSE);
#endif
		return;
	}
	uart->Writing = irp;
	uart->Sent = 0;
	KeReleaseSpinLock(&uart->PortLock, irql);
	KeInsertQueueDpc(&uart->Dpc, 0, 0);
}

/* Send sends the next byte of the write that was started, and returns the write if that was its last one. */
static PIRP Send(PUART uart)
{
	PIRP irp, done = 0;

	KeAcquireSpinLockAtDpcLevel(&uart->PortLock);
	irp = uart->Writing;
	if (irp && (PortStatus(uart->Port) & IDLE)) {
		PortSend(uart->Port, ((UCHAR *)irp->AssociatedIrp.SystemBuffer)[uart->Sent]);
		uart->Sent++;
		if (uart->Sent >= IoGetCurrentIrpStackLocation(irp)->Parameters.Write.Length) {
			uart->Writing = 0;
			done = irp;
		}
	}
	KeReleaseSpinLockFromDpcLevel(&uart->PortLock);
	return done;
}

/* UartDpc is called by the timer, and after a write was started. */
static void UartDpc(PKDPC dpc, void *context, void *argument1, void *argument2)
{
	PUART uart = context;
	PIRP read = 0, written;

	/* 1. Bytes that have come, and a read that waits for them. */
	KeAcquireSpinLockAtDpcLevel(&uart->Lock);
	if (PortStatus(uart->Port) & RECEIVED)
		Keep(uart, PortReceive(uart->Port));
	if (uart->Count > 0)
		read = TakeRead(uart);
	if (read) {
		uart->Head = (uart->Head + 1) % ROOM;
		uart->Count--;
	}
#ifdef BUG_DPC_RESTORES
	KeReleaseSpinLock(&uart->Lock, 0);
#else
	KeReleaseSpinLockFromDpcLevel(&uart->Lock);
#endif
	if (read)
		Complete(read, STATUS_SUCCESS, 1);
	/* 2. Bytes that go. */
	written = Send(uart);
	if (written) {
		Complete(written, STATUS_SUCCESS, 0);
		IoStartNextPacket(uart->Self, FALSE);
	}
	if (uart->Started)
		Ask(uart);
}

/* Purge completes all reads that wait. */
static void Purge(PUART uart, NTSTATUS status)
{
	PIRP irp;
	KIRQL irql;

	for (;;) {
		KeAcquireSpinLock(&uart->Lock, &irql);
		irp = TakeRead(uart);
		uart->Count = 0;
#ifdef BUG_PURGE_LEAVES
		if (!irp)
			break;
#endif
		KeReleaseSpinLock(&uart->Lock, irql);
		if (!irp)
			break;
		Complete(irp, status, 0);
	}
}

/* UartControl sets the rate of the port, throws bytes away, or tells how many there are. */
static NTSTATUS UartControl(PDEVICE_OBJECT device, PIRP irp)
{
	PUART uart = ExtensionOf(device);
	PIO_STACK_LOCATION stack = IoGetCurrentIrpStackLocation(irp);
	ULONG *buffer = irp->AssociatedIrp.SystemBuffer;

	switch (stack->Parameters.DeviceIoControl.IoControlCode) {
	case IOCTL_RATE:
		if (!buffer || stack->Parameters.DeviceIoControl.InputBufferLength < sizeof(ULONG))
			return Complete(irp, STATUS_INVALID_PARAMETER, 0);
		SetRate(uart, *buffer);
		return Complete(irp, STATUS_SUCCESS, 0);
	case IOCTL_PURGE:
		Purge(uart, STATUS_CANCELLED);
		return Complete(irp, STATUS_SUCCESS, 0);
	case IOCTL_STATUS:
		return Complete(irp, STATUS_SUCCESS, uart->Count);
	}
	return UartPass(device, irp);
}

/* UartCleanup ends the reads of a program that ends. */
static NTSTATUS UartCleanup(PDEVICE_OBJECT device, PIRP irp)
{
	Purge(ExtensionOf(device), STATUS_CANCELLED);
	return Complete(irp, STATUS_SUCCESS, 0);
}

/* UartPower passes a power request down; a port without power neither sends nor receives. */
static NTSTATUS UartPower(PDEVICE_OBJECT device, PIRP irp)
{
	PUART uart = ExtensionOf(device);
	PIO_STACK_LOCATION stack = IoGetCurrentIrpStackLocation(irp);

	if (stack->MinorFunction == IRP_MN_SET_POWER && stack->Parameters.Power.Type == DevicePowerState)
		uart->Awake = stack->Parameters.Power.State == PowerDeviceD0;
	PoStartNextPowerIrp(irp);
	IoSkipCurrentIrpStackLocation(irp);
	return PoCallDriver(uart->Lower, irp);
}

/* Stop lets the port neither send nor receive. */
static void Stop(PUART uart, NTSTATUS status)
{
	uart->Started = FALSE;
	KeCancelTimer(&uart->Timer);
	Purge(uart, status);
}

/* UartPnp handles the requests by which devices come and go. */
static NTSTATUS UartPnp(PDEVICE_OBJECT device, PIRP irp)
{
	PUART uart = ExtensionOf(device);
	NTSTATUS status = IoAcquireRemoveLock(&uart->RemoveLock, irp);

	if (!NT_SUCCESS(status))
		return Complete(irp, status, 0);
	switch (IoGetCurrentIrpStackLocation(irp)->MinorFunction) {
	case IRP_MN_START_DEVICE:
		uart->Started = uart->Awake = TRUE;
		irp->IoStatus.Status = STATUS_SUCCESS;
		break;
	case IRP_MN_STOP_DEVICE:
	case IRP_MN_SURPRISE_REMOVAL:
		Stop(uart, STATUS_NO_SUCH_DEVICE);
		irp->IoStatus.Status = STATUS_SUCCESS;
		break;
	case IRP_MN_REMOVE_DEVICE:
		Stop(uart, STATUS_DELETE_PENDING);
		IoSkipCurrentIrpStackLocation(irp);
		status = IoCallDriver(uart->Lower, irp);
		IoReleaseRemoveLockAndWait(&uart->RemoveLock, irp);
		IoDetachDevice(uart->Lower);
		IoDeleteDevice(device);
		return status;
	}
	IoSkipCurrentIrpStackLocation(irp);
	status = IoCallDriver(uart->Lower, irp);
	IoReleaseRemoveLock(&uart->RemoveLock, irp);
	return status;
}

/* UartAddDevice makes the device of a port that was found. */
static NTSTATUS UartAddDevice(PDRIVER_OBJECT driver, PDEVICE_OBJECT physical)
{
	PDEVICE_OBJECT device;
	PUART uart;
	NTSTATUS status;

	status = IoCreateDevice(driver, sizeof(UART), 0, 0x1b, 0, FALSE, &device);
	if (!NT_SUCCESS(status))
		return status;
	uart = ExtensionOf(device);
	uart->Self = device;
	uart->Head = uart->Count = uart->Sent = uart->Lost = 0;
	uart->Writing = 0;
	uart->Started = uart->Awake = FALSE;
	IoInitializeRemoveLock(&uart->RemoveLock, 0, 0, 0);
	KeInitializeSpinLock(&uart->Lock);
	KeInitializeSpinLock(&uart->PortLock);
	InitializeListHead(&uart->Reads);
	KeInitializeTimer(&uart->Timer);
	KeInitializeDpc(&uart->Dpc, UartDpc, uart);
	uart->Lower = IoAttachDeviceToDeviceStack(device, physical);
	if (!uart->Lower) {
		IoDeleteDevice(device);
		return STATUS_NO_SUCH_DEVICE;
	}
	device->Flags = DO_BUFFERED_IO;
	return STATUS_SUCCESS;
}

static void UartUnload(PDRIVER_OBJECT driver)
{
}

NTSTATUS DriverEntry(PDRIVER_OBJECT driver, PUNICODE_STRING path)
{
	driver->MajorFunction[IRP_MJ_CREATE] = UartCreate;
	driver->MajorFunction[IRP_MJ_CLOSE] = UartClose;
	driver->MajorFunction[IRP_MJ_READ] = UartRead;
	driver->MajorFunction[IRP_MJ_WRITE] = UartWrite;
	driver->MajorFunction[IRP_MJ_DEVICE_CONTROL] = UartControl;
	driver->MajorFunction[IRP_MJ_CLEANUP] = UartCleanup;
	driver->MajorFunction[IRP_MJ_PNP] = UartPnp;
	driver->MajorFunction[IRP_MJ_POWER] = UartPower;
	driver->DriverStartIo = UartStartIo;
	driver->DriverExtension->AddDevice = UartAddDevice;
	driver->DriverUnload = UartUnload;
	return STATUS_SUCCESS;
}
