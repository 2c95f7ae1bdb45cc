/* Two acquisitions of one lock. */
#include "rule.h"

static DEVICE_EXTENSION Disk, Tape;

int main(void)
{
	IO_REMOVE_LOCK *l = &Disk.RemoveLock;

	if (IoAcquireRemoveLock(l, 0) < 0)
		return 1;
	if (IoAcquireRemoveLock(&Disk.RemoveLock, l) >= 0)
		IoReleaseRemoveLock(l, l);
	IoReleaseRemoveLock(l, 0);
	return 0;
}
