/* The callee has released it. */
#include "rule.h"

static DEVICE_EXTENSION Disk, Tape;

static void Leave(KSPIN_LOCK *l, KIRQL irql)
{
	KeReleaseSpinLock(l, irql); /* fails: double-unlock */
}

int main(void)
{
	KIRQL irql = KeAcquireSpinLockRaiseToDpc(&Tape.Lock);

	if (Transfer(1) < 0)
		Leave(&Tape.Lock, irql);
	Leave(&Tape.Lock, irql);
	return 0;
}
