/* Released by both the caller and the callee. */
#include "../wdm.h"

static IRP Request;

static void Complete(PIRP irp, KIRQL *level)
{
	IoReleaseCancelSpinLock(*level);
	IoCompleteRequest(irp, 0);
}

int main(void)
{
	KIRQL irql;

	IoAcquireCancelSpinLock(&irql);
	Complete(&Request, &irql);
	IoReleaseCancelSpinLock(irql); /* fails: double-unlock */
	return 0;
}
