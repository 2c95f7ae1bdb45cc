/* Declarations of the kernel for the examples of wdm-spinlock. */
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
