/* Two locks, one within the other. */
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
	KSPIN_LOCK other, *inner = &other;
	KIRQL a, b;

	KeAcquireSpinLock(&Device.Lock, &a);
	KeAcquireSpinLock(inner, &b);
	KeReleaseSpinLock(&other, b);
	KeReleaseSpinLock(&Device.Lock, a);
	IoStartNextPacket(&Device, 0);
	return 0;
}
