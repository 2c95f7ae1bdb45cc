/* The removal acquires it, and waits. */
#include "rule.h"

static DEVICE_EXTENSION Disk, Tape;

int main(void)
{
	if (!NT_SUCCESS(IoAcquireRemoveLock(&Disk.RemoveLock, 0)))
		return 1;
	Transfer(2);
	IoReleaseRemoveLockAndWait(&Disk.RemoveLock, 0);
	return 0;
}
