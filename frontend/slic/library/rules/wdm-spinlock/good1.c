/* Released on the error path. */
typedef unsigned char KIRQL;
typedef unsigned long KSPIN_LOCK;
typedef struct { KSPIN_LOCK Lock; long Count; } DEVICE_EXTENSION;

extern KIRQL KeAcquireSpinLockRaiseToDpc(KSPIN_LOCK *SpinLock);
extern void KeReleaseSpinLock(KSPIN_LOCK *SpinLock, KIRQL NewIrql);
extern void KeAcquireSpinLockAtDpcLevel(KSPIN_LOCK *SpinLock);
extern void KeReleaseSpinLockFromDpcLevel(KSPIN_LOCK *SpinLock);
extern unsigned char KeTryToAcquireSpinLockAtDpcLevel(KSPIN_LOCK *SpinLock);
extern long Transfer(long Unit);
#define KeAcquireSpinLock(l, old) (*(old) = KeAcquireSpinLockRaiseToDpc(l))
static DEVICE_EXTENSION Disk, Tape;

static long Write(DEVICE_EXTENSION *e)
{
	KIRQL irql;

	KeAcquireSpinLock(&e->Lock, &irql);
	if (Transfer(e->Count) < 0) {
		KeReleaseSpinLock(&e->Lock, irql);
		return -1;
	}
	KeReleaseSpinLock(&e->Lock, irql);
	return 0;
}

int main(void)
{
	return Write(&Disk) + Write(&Tape);
}
