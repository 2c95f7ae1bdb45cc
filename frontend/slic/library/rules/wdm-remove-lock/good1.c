/* A read, and an error path. */
#include "rule.h"

static DEVICE_EXTENSION Disk, Tape;

static NTSTATUS Read(DEVICE_EXTENSION *e)
{
	NTSTATUS status = IoAcquireRemoveLock(&e->RemoveLock, 0);

	if (!NT_SUCCESS(status))
		return status;
	status = Transfer(0);
	IoReleaseRemoveLock(&e->RemoveLock, 0);
	return status;
}

int main(void)
{
	if (!NT_SUCCESS(Read(&Disk)))
		return 1;
	return Read(&Tape) < 0;
}
