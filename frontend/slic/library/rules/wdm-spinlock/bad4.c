/* It is released after an attempt in vain. */
#include "rule.h"

static DEVICE_EXTENSION Disk, Tape;

int main(void)
{
	if (!KeTryToAcquireSpinLockAtDpcLevel(&Disk.Lock))
		Transfer(0);
	KeReleaseSpinLockFromDpcLevel(&Disk.Lock); /* fails: double-unlock */
	return 0;
}
