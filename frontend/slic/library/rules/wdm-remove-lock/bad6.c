/* Released once more after the wait. */
#include "rule.h"

static DEVICE_EXTENSION Disk, Tape;

int main(void)
{
	if (IoAcquireRemoveLock(&Tape.RemoveLock, 0) < 0)
		return 1;
	IoReleaseRemoveLockAndWait(&Tape.RemoveLock, 0);
	if (Transfer(1) < 0)
		IoReleaseRemoveLock(&Tape.RemoveLock, 0); /* fails: not-acquired */
	return 0;
}
