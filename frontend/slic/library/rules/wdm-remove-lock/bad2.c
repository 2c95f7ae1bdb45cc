/* The removal waits without having acquired it. */
#include "rule.h"

static DEVICE_EXTENSION Disk, Tape;

int main(void)
{
	Transfer(2);
	IoReleaseRemoveLockAndWait(&Disk.RemoveLock, 0); /* fails: wait-without-lock */
	return 0;
}
