/* Another name of the lock, which its caller holds. */
#include "rule.h"

static DEVICE_EXTENSION Disk, Tape;

static void Count(DEVICE_EXTENSION *e)
{
	KIRQL irql;

	KeAcquireSpinLock(&e->Lock, &irql); /* fails: double-lock */
	e->Count = 0;
	KeReleaseSpinLock(&e->Lock, irql);
}

int main(void)
{
	KSPIN_LOCK *l = &Disk.Lock;
	KIRQL irql;

	KeAcquireSpinLock(l, &irql);
	Count(&Disk);
	KeReleaseSpinLock(l, irql);
	return 0;
}
