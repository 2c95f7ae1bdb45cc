/* After the removal the loop ends: nobody gets the lock. */
#include "rule.h"

static DEVICE_EXTENSION Disk, Tape;

int main(void)
{
	int rounds = 0;

	while (NT_SUCCESS(IoAcquireRemoveLock(&Disk.RemoveLock, 0))) {
		rounds = 1;
		if (Transfer(0) < 0)
			IoReleaseRemoveLockAndWait(&Disk.RemoveLock, 0);
		else
			IoReleaseRemoveLock(&Disk.RemoveLock, 0);
	}
	return rounds;
}
