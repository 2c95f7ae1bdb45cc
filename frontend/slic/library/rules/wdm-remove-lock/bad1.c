/* The error path keeps the lock. */
#include "rule.h"

static DEVICE_EXTENSION Disk, Tape;

static NTSTATUS Read(DEVICE_EXTENSION *e)
{
	NTSTATUS status = IoAcquireRemoveLock(&e->RemoveLock, 0);

	if (!NT_SUCCESS(status))
		return status;
	status = Transfer(0);
	if (!NT_SUCCESS(status))
		return status;
	IoReleaseRemoveLock(&e->RemoveLock, 0);
	return status;
}

int main(void)
{
	return Read(&Disk) < 0;
} /* fails: left-at-end */
