/* The callee releases. */
#include "rule.h"

static DEVICE_EXTENSION Disk, Tape;

static void Finish(IO_REMOVE_LOCK *l)
{
	IoReleaseRemoveLock(l, 0);
}

int main(void)
{
	IO_REMOVE_LOCK *l = Transfer(0) ? &Disk.RemoveLock : &Tape.RemoveLock;

	if (IoAcquireRemoveLock(l, 0) < 0)
		return 1;
	Finish(l);
	return 0;
}
