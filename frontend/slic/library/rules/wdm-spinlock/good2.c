/* A second lock at DISPATCH_LEVEL. */
#include "rule.h"

static DEVICE_EXTENSION Disk, Tape;

int main(void)
{
	KIRQL irql;

	KeAcquireSpinLock(&Disk.Lock, &irql);
	KeAcquireSpinLockAtDpcLevel(&Tape.Lock);
	Transfer(0);
	KeReleaseSpinLockFromDpcLevel(&Tape.Lock);
	KeReleaseSpinLock(&Disk.Lock, irql);
	return 0;
}
