/* The callee has released it. */
#include "rule.h"

static DEVICE_EXTENSION Disk, Tape;

static void Finish(IO_REMOVE_LOCK *l)
{
	IoReleaseRemoveLock(l, 0); /* fails: not-acquired */
}

int main(void)
{
	if (IoAcquireRemoveLock(&Disk.RemoveLock, 0) < 0)
		return 1;
	if (Transfer(0) < 0)
		Finish(&Disk.RemoveLock);
	Finish(&Disk.RemoveLock);
	return 0;
}
