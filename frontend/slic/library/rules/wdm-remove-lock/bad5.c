/* Two acquisitions by two names, and one release. */
#include "rule.h"

static DEVICE_EXTENSION Disk, Tape;

int main(void)
{
	IO_REMOVE_LOCK *l = &Disk.RemoveLock;

	if (IoAcquireRemoveLock(l, 0) < 0)
		return 1;
	if (IoAcquireRemoveLock(&Disk.RemoveLock, l) >= 0)
		Transfer(0);
	IoReleaseRemoveLock(l, 0);
	return 0;
} /* fails: left-at-end */
