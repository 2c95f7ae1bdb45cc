/* Declarations of the kernel for the examples of wdm-complete-unlocked. */
typedef unsigned char KIRQL;
typedef unsigned long KSPIN_LOCK;
typedef struct _IRP { long Status; } IRP;
typedef struct _DEVICE_OBJECT { KSPIN_LOCK Lock; IRP *Current; } DEVICE_OBJECT;

extern KIRQL KeAcquireSpinLockRaiseToDpc(KSPIN_LOCK *SpinLock);
extern void KeReleaseSpinLock(KSPIN_LOCK *SpinLock, KIRQL NewIrql);
extern void IoAcquireCancelSpinLock(KIRQL *Irql);
extern void IoReleaseCancelSpinLock(KIRQL Irql);
extern void IofCompleteRequest(IRP *Irp, char PriorityBoost);
extern void IoStartNextPacket(DEVICE_OBJECT *DeviceObject, unsigned char Cancelable);
extern int Ready(int n);
#define KeAcquireSpinLock(l, old) (*(old) = KeAcquireSpinLockRaiseToDpc(l))
#define IoCompleteRequest(irp, boost) IofCompleteRequest(irp, boost)
