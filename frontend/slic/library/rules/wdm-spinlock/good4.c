/* The attempt may be in vain. */
#include "rule.h"

static DEVICE_EXTENSION Disk, Tape;

int main(void)
{
	KSPIN_LOCK *l = Transfer(0) ? &Disk.Lock : &Tape.Lock;

	if (KeTryToAcquireSpinLockAtDpcLevel(l))
		KeReleaseSpinLockFromDpcLevel(l);
	return 0;
}
