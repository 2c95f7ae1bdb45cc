/* The callee releases. */
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

static void Leave(KSPIN_LOCK *l, KIRQL irql)
{
	KeReleaseSpinLock(l, irql);
}

int main(void)
{
	KIRQL irql = KeAcquireSpinLockRaiseToDpc(&Tape.Lock);

	Transfer(1);
	Leave(&Tape.Lock, irql);
	return 0;
}
