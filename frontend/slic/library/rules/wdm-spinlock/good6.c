/* The lock is released for a transfer. */
#include "rule.h"

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
