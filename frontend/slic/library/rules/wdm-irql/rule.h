/* Declarations of the kernel for the examples of wdm-irql. */
#include <stddef.h>

typedef unsigned char KIRQL;
typedef unsigned long KSPIN_LOCK;
typedef struct { long long QuadPart; } LARGE_INTEGER;
typedef enum { NonPagedPool, PagedPool } POOL_TYPE;
enum { PASSIVE_LEVEL, APC_LEVEL, DISPATCH_LEVEL };

extern KIRQL KeAcquireSpinLockRaiseToDpc(KSPIN_LOCK *SpinLock);
extern void KeReleaseSpinLock(KSPIN_LOCK *SpinLock, KIRQL NewIrql);
extern void KeAcquireSpinLockAtDpcLevel(KSPIN_LOCK *SpinLock);
extern void KeReleaseSpinLockFromDpcLevel(KSPIN_LOCK *SpinLock);
extern KIRQL KfRaiseIrql(KIRQL NewIrql);
extern void KeRaiseIrql(KIRQL NewIrql, KIRQL *OldIrql);
extern void KeLowerIrql(KIRQL NewIrql);
extern long KeWaitForSingleObject(void *Object, int Reason, char Mode, unsigned char Alertable, LARGE_INTEGER *Timeout);
extern void *ExAllocatePoolWithTag(POOL_TYPE PoolType, size_t NumberOfBytes, unsigned long Tag);
extern long ZwClose(void *Handle);
extern int Ready(int n);
#define KeAcquireSpinLock(l, old) (*(old) = KeAcquireSpinLockRaiseToDpc(l))
