/* A loop that completes between two locks. */
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
static IRP Request;
static DEVICE_OBJECT Device = { 0, &Request };

int main(void)
{
	KIRQL irql;

	while (Ready(0)) {
		KeAcquireSpinLock(&Device.Lock, &irql);
		Ready(1);
		KeReleaseSpinLock(&Device.Lock, irql);
		IoCompleteRequest(&Request, 0);
		IoStartNextPacket(&Device, 1);
	}
	return 0;
}
