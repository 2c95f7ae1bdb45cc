/* The same lock at DISPATCH_LEVEL. */
#include "rule.h"

static DEVICE_EXTENSION Disk, Tape;

int main(void)
{
	DEVICE_EXTENSION *other = Transfer(0) ? &Disk : &Tape;
	KIRQL irql;

	KeAcquireSpinLock(&Disk.Lock, &irql);
	KeAcquireSpinLockAtDpcLevel(&other->Lock); /* fails: double-lock */
	KeReleaseSpinLockFromDpcLevel(&other->Lock);
	KeReleaseSpinLock(&Disk.Lock, irql);
	return 0;
}
