/* The callee releases. */
#include "rule.h"

static DEVICE_EXTENSION Disk, Tape;

static void Leave(KSPIN_LOCK *l, KIRQL irql)
{
	KeReleaseSpinLock(l, irql);
}

int main(void)
{
	KIRQL irql = KeAcquireSpinLockRaiseToDpc(&Tape.Lock);

	Transfer(1);
	Leave(&Tape.Lock, irql);
	return 0;
}
