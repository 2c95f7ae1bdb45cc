/* Another request is cancelled with the lock. */
#include "../wdm.h"

static IRP Request, Other;

int main(void)
{
	KIRQL irql;
	PIRP next = Ready(0) ? &Request : &Other;

	IoAcquireCancelSpinLock(&irql);
	IoSetCancelRoutine(next, 0);
	IoCancelIrp(next); /* fails: cancel-locked */
	IoReleaseCancelSpinLock(irql);
	return 0;
}
