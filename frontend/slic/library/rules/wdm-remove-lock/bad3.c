/* The loop releases after a failure as well. */
#include "rule.h"

static DEVICE_EXTENSION Disk, Tape;

int main(void)
{
	int i;

	for (i = 0; i < 2; i++) {
		if (IoAcquireRemoveLock(&Disk.RemoveLock, 0) >= 0)
			Transfer(i);
		IoReleaseRemoveLock(&Disk.RemoveLock, 0); /* fails: not-acquired */
	}
	return 0;
}
