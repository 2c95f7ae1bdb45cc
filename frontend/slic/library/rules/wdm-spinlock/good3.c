/* Taken and released in each round. */
#include "rule.h"

static DEVICE_EXTENSION Disk, Tape;

int main(void)
{
	KIRQL irql;

	while (Transfer(0)) {
		KeAcquireSpinLock(&Disk.Lock, &irql);
		Disk.Count = 1;
		KeReleaseSpinLock(&Disk.Lock, irql);
	}
	return 0;
}
