/* The cancel routine releases the cancel spin lock first. */
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

static void Cancel(DEVICE_OBJECT *device, IRP *irp, KIRQL irql)
{
	IoReleaseCancelSpinLock(irql);
	irp->Status = -1;
	IoCompleteRequest(irp, 0);
}

int main(void)
{
	KIRQL irql;

	IoAcquireCancelSpinLock(&irql);
	Cancel(&Device, &Request, irql);
	return 0;
}
