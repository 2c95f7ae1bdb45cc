/* The loop goes on with the lock. */
#include "rule.h"

static DEVICE_EXTENSION Disk, Tape;

int main(void)
{
	KIRQL irql;

	while (Transfer(0)) {
		KeAcquireSpinLock(&Disk.Lock, &irql); /* fails: double-lock */
		if (Transfer(1))
			continue;
		KeReleaseSpinLock(&Disk.Lock, irql);
	}
	return 0;
}
