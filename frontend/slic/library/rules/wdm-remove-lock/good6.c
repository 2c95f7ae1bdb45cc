/* Two devices, released in reverse. */
#include "rule.h"

static DEVICE_EXTENSION Disk, Tape;

int main(void)
{
	NTSTATUS status = IoAcquireRemoveLock(&Disk.RemoveLock, 0);

	if (status < 0)
		goto out;
	status = IoAcquireRemoveLock(&Tape.RemoveLock, 0);
	if (status < 0)
		goto disk;
	Transfer(0);
	IoReleaseRemoveLock(&Tape.RemoveLock, 0);
disk:
	IoReleaseRemoveLock(&Disk.RemoveLock, 0);
out:
	return status < 0;
}
