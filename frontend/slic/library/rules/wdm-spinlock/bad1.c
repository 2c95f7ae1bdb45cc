/* The error path keeps the lock. */
#include "rule.h"

static DEVICE_EXTENSION Disk, Tape;

static long Write(DEVICE_EXTENSION *e)
{
	KIRQL irql;

	KeAcquireSpinLock(&e->Lock, &irql);
	if (Transfer(e->Count) < 0)
		return -1;
	KeReleaseSpinLock(&e->Lock, irql);
	return 0;
}

int main(void)
{
	return Write(&Disk);
} /* fails: held-at-end */
