/* The lock is released for a transfer. */
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

int main(void)
{
	KIRQL irql;
	long n;

	KeAcquireSpinLock(&Disk.Lock, &irql);
	for (n = 0; n < 3; n++) {
		KeReleaseSpinLock(&Disk.Lock, irql);
		Transfer(n);
		KeAcquireSpinLock(&Disk.Lock, &irql);
	}
	KeReleaseSpinLock(&Disk.Lock, irql);
	return 0;
}
