/*
 * Declarations of the driver model of Windows, as documented, for the examples of its rules. Members and
 * parameters are those that drivers use; most macros of Microsoft's headers are functions here, of the same names.
 */
typedef int NTSTATUS;
typedef unsigned char UCHAR, BOOLEAN, KIRQL;
typedef int LONG;
typedef unsigned int ULONG;
typedef unsigned long ULONG_PTR, KSPIN_LOCK;
typedef struct { long long QuadPart; } LARGE_INTEGER;
typedef struct _LIST_ENTRY { struct _LIST_ENTRY *Flink, *Blink; } LIST_ENTRY;
typedef struct { int Signalled; } KEVENT;

#define NT_SUCCESS(s) ((s) >= 0)
#define TRUE 1
#define FALSE 0
#define STATUS_SUCCESS ((NTSTATUS)0)
#define STATUS_PENDING ((NTSTATUS)0x103)
#define STATUS_TIMEOUT ((NTSTATUS)0x102)
#define STATUS_UNSUCCESSFUL ((NTSTATUS)0xc0000001)
#define STATUS_INVALID_PARAMETER ((NTSTATUS)0xc000000d)
#define STATUS_BUFFER_TOO_SMALL ((NTSTATUS)0xc0000023)
#define STATUS_IO_TIMEOUT ((NTSTATUS)0xc00000b5)
#define STATUS_DEVICE_NOT_READY ((NTSTATUS)0xc00000a3)
#define STATUS_MORE_PROCESSING_REQUIRED ((NTSTATUS)0xc0000016)
#define STATUS_CANCELLED ((NTSTATUS)0xc0000120)
#define STATUS_DEVICE_BUSY ((NTSTATUS)0x80000011)
#define STATUS_DELETE_PENDING ((NTSTATUS)0xc0000056)
#define STATUS_INVALID_DEVICE_REQUEST ((NTSTATUS)0xc0000010)
#define STATUS_NO_SUCH_DEVICE ((NTSTATUS)0xc000000e)
#define STATUS_INSUFFICIENT_RESOURCES ((NTSTATUS)0xc000009a)
#define IRP_MJ_CREATE 0x00
#define IRP_MJ_CLOSE 0x02
#define IRP_MJ_READ 0x03
#define IRP_MJ_WRITE 0x04
#define IRP_MJ_FLUSH_BUFFERS 0x09
#define IRP_MJ_DEVICE_CONTROL 0x0e
#define IRP_MJ_INTERNAL_DEVICE_CONTROL 0x0f
#define IRP_MJ_SHUTDOWN 0x10
#define IRP_MJ_CLEANUP 0x12
#define IRP_MJ_POWER 0x16
#define IRP_MJ_SYSTEM_CONTROL 0x17
#define IRP_MJ_PNP 0x1b
#define IRP_MN_START_DEVICE 0x00
#define IRP_MN_QUERY_REMOVE_DEVICE 0x01
#define IRP_MN_REMOVE_DEVICE 0x02
#define IRP_MN_CANCEL_REMOVE_DEVICE 0x03
#define IRP_MN_STOP_DEVICE 0x04
#define IRP_MN_QUERY_STOP_DEVICE 0x05
#define IRP_MN_CANCEL_STOP_DEVICE 0x06
#define IRP_MN_QUERY_CAPABILITIES 0x09
#define IRP_MN_SURPRISE_REMOVAL 0x17
#define IRP_MN_SET_POWER 0x02
#define IRP_MN_QUERY_POWER 0x03
#define DISPATCH_LEVEL 2
#define DO_BUFFERED_IO 0x04
#define DO_POWER_PAGABLE 0x2000
#define DO_DEVICE_INITIALIZING 0x80

typedef struct _DEVICE_OBJECT {
	ULONG Flags;
	void *DeviceExtension;
	struct _IRP *CurrentIrp;
} DEVICE_OBJECT, *PDEVICE_OBJECT;

typedef struct _IO_STACK_LOCATION {
	UCHAR MajorFunction, MinorFunction;
	union {
		struct { ULONG Length; ULONG Key; LARGE_INTEGER ByteOffset; } Read, Write;
		struct { ULONG OutputBufferLength, InputBufferLength, IoControlCode; } DeviceIoControl;
		struct { ULONG SystemContext; int Type, State; } Power;
	} Parameters;
} IO_STACK_LOCATION, *PIO_STACK_LOCATION;

typedef struct _IRP {
	union { void *SystemBuffer; } AssociatedIrp;
	struct { NTSTATUS Status; ULONG_PTR Information; } IoStatus;
	BOOLEAN PendingReturned, Cancel;
	KIRQL CancelIrql;
	union {
		struct {
			LIST_ENTRY ListEntry;
			PIO_STACK_LOCATION CurrentStackLocation;
		} Overlay;
	} Tail;
} IRP, *PIRP;

typedef struct _UNICODE_STRING { unsigned short Length; } UNICODE_STRING, *PUNICODE_STRING;
struct _KDPC;
typedef NTSTATUS DRIVER_DISPATCH(PDEVICE_OBJECT DeviceObject, PIRP Irp);
typedef void DRIVER_STARTIO(PDEVICE_OBJECT DeviceObject, PIRP Irp);
typedef struct _DRIVER_EXTENSION {
	NTSTATUS (*AddDevice)(struct _DRIVER_OBJECT *DriverObject, PDEVICE_OBJECT PhysicalDevice);
} DRIVER_EXTENSION;
typedef struct _DRIVER_OBJECT {
	ULONG Flags;
	DRIVER_EXTENSION *DriverExtension;
	void (*DriverUnload)(struct _DRIVER_OBJECT *DriverObject);
	DRIVER_STARTIO *DriverStartIo;
	DRIVER_DISPATCH *MajorFunction[28];
} DRIVER_OBJECT, *PDRIVER_OBJECT;
typedef NTSTATUS IO_COMPLETION_ROUTINE(PDEVICE_OBJECT DeviceObject, PIRP Irp, void *Context);
typedef void DRIVER_CANCEL(PDEVICE_OBJECT DeviceObject, PIRP Irp);

static inline PIO_STACK_LOCATION IoGetCurrentIrpStackLocation(PIRP Irp) { return Irp->Tail.Overlay.CurrentStackLocation; }

enum { SystemPowerState, DevicePowerState };
enum { PowerDeviceD0 = 1, PowerDeviceD3 = 4 };

extern void IoCompleteRequest(PIRP Irp, char PriorityBoost);
extern NTSTATUS IoCallDriver(PDEVICE_OBJECT DeviceObject, PIRP Irp);
extern NTSTATUS PoCallDriver(PDEVICE_OBJECT DeviceObject, PIRP Irp);
extern void PoStartNextPowerIrp(PIRP Irp);
extern BOOLEAN IoForwardIrpSynchronously(PDEVICE_OBJECT DeviceObject, PIRP Irp);
extern void IoMarkIrpPending(PIRP Irp);
extern void IoSkipCurrentIrpStackLocation(PIRP Irp);
extern void IoCopyCurrentIrpStackLocationToNext(PIRP Irp);
extern void IoSetCompletionRoutine(PIRP Irp, IO_COMPLETION_ROUTINE *Routine, void *Context, BOOLEAN OnSuccess, BOOLEAN OnError, BOOLEAN OnCancel);
extern DRIVER_CANCEL *IoSetCancelRoutine(PIRP Irp, DRIVER_CANCEL *Routine);
extern BOOLEAN IoCancelIrp(PIRP Irp);
extern void IoStartPacket(PDEVICE_OBJECT DeviceObject, PIRP Irp, ULONG *Key, DRIVER_CANCEL *Routine);
extern void IoStartNextPacket(PDEVICE_OBJECT DeviceObject, BOOLEAN Cancelable);

extern void IoAcquireCancelSpinLock(KIRQL *Irql);
extern void IoReleaseCancelSpinLock(KIRQL Irql);
extern KIRQL KeAcquireSpinLockRaiseToDpc(KSPIN_LOCK *SpinLock);
#define KeAcquireSpinLock(l, old) (*(old) = KeAcquireSpinLockRaiseToDpc(l))
extern void KeReleaseSpinLock(KSPIN_LOCK *SpinLock, KIRQL NewIrql);
extern void KeInitializeSpinLock(KSPIN_LOCK *SpinLock);
extern void KeAcquireSpinLockAtDpcLevel(KSPIN_LOCK *SpinLock);
extern void KeReleaseSpinLockFromDpcLevel(KSPIN_LOCK *SpinLock);
extern KIRQL KfRaiseIrql(KIRQL NewIrql);
#define KeRaiseIrql(new, old) (*(old) = KfRaiseIrql(new))
extern void KeLowerIrql(KIRQL NewIrql);

/* Deferred calls and timers: a routine runs at DISPATCH_LEVEL, after it was queued, by a timer or at once. */
typedef void KDEFERRED_ROUTINE(struct _KDPC *Dpc, void *Context, void *Argument1, void *Argument2);
typedef struct _KDPC { KDEFERRED_ROUTINE *DeferredRoutine; void *DeferredContext; } KDPC, *PKDPC;
typedef struct _KTIMER { LARGE_INTEGER DueTime; PKDPC Dpc; } KTIMER, *PKTIMER;
typedef void IO_TIMER_ROUTINE(PDEVICE_OBJECT DeviceObject, void *Context);
extern void KeInitializeDpc(PKDPC Dpc, KDEFERRED_ROUTINE *Routine, void *Context);
extern BOOLEAN KeInsertQueueDpc(PKDPC Dpc, void *Argument1, void *Argument2);
extern void KeInitializeTimer(PKTIMER Timer);
extern BOOLEAN KeSetTimer(PKTIMER Timer, LARGE_INTEGER DueTime, PKDPC Dpc);
extern BOOLEAN KeCancelTimer(PKTIMER Timer);
extern NTSTATUS IoInitializeTimer(PDEVICE_OBJECT DeviceObject, IO_TIMER_ROUTINE *Routine, void *Context);
extern void IoStartTimer(PDEVICE_OBJECT DeviceObject);
extern void IoStopTimer(PDEVICE_OBJECT DeviceObject);

extern void KeInitializeEvent(KEVENT *Event, int Type, BOOLEAN State);
extern int KeSetEvent(KEVENT *Event, int Increment, BOOLEAN Wait);
extern NTSTATUS KeWaitForSingleObject(void *Object, int Reason, char Mode, BOOLEAN Alertable, LARGE_INTEGER *Timeout);
extern NTSTATUS KeDelayExecutionThread(char Mode, BOOLEAN Alertable, LARGE_INTEGER *Interval);

/* It keeps no pointer that it is given. */
extern PDEVICE_OBJECT NewDevice(PDRIVER_OBJECT DriverObject, ULONG ExtensionSize);
static inline NTSTATUS IoCreateDevice(PDRIVER_OBJECT DriverObject, ULONG ExtensionSize, void *Name, ULONG Type, ULONG Characteristics, BOOLEAN Exclusive, PDEVICE_OBJECT *DeviceObject)
{
	PDEVICE_OBJECT device = NewDevice(DriverObject, ExtensionSize);

	if (!device)
		return STATUS_INSUFFICIENT_RESOURCES;
	*DeviceObject = device;
	return STATUS_SUCCESS;
}
extern void IoDeleteDevice(PDEVICE_OBJECT DeviceObject);
extern PDEVICE_OBJECT IoAttachDeviceToDeviceStack(PDEVICE_OBJECT SourceDevice, PDEVICE_OBJECT TargetDevice);
extern void IoDetachDevice(PDEVICE_OBJECT TargetDevice);

static inline void InitializeListHead(LIST_ENTRY *ListHead) { ListHead->Flink = ListHead->Blink = ListHead; }
static inline BOOLEAN IsListEmpty(const LIST_ENTRY *ListHead) { return ListHead->Flink == ListHead; }
#define CONTAINING_RECORD(address, type, field) ((type *)((char *)(address) - __builtin_offsetof(type, field)))
extern BOOLEAN RemoveEntryList(LIST_ENTRY *Entry);
extern void InsertTailList(LIST_ENTRY *ListHead, LIST_ENTRY *Entry);
extern LIST_ENTRY *RemoveHeadList(LIST_ENTRY *ListHead);
extern LIST_ENTRY *ExInterlockedInsertTailList(LIST_ENTRY *ListHead, LIST_ENTRY *Entry, KSPIN_LOCK *Lock);

typedef struct { int Removed; } IO_REMOVE_LOCK;
extern void IoInitializeRemoveLock(IO_REMOVE_LOCK *Lock, ULONG Tag, ULONG MaximumMinutes, ULONG HighWatermark);
extern NTSTATUS IoAcquireRemoveLock(IO_REMOVE_LOCK *Lock, void *Tag);
extern void IoReleaseRemoveLock(IO_REMOVE_LOCK *Lock, void *Tag);
extern void IoReleaseRemoveLockAndWait(IO_REMOVE_LOCK *Lock, void *Tag);

extern int Ready(int n);
