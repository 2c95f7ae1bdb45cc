/* The error path keeps the lock. */
#include "../wdm.h"

static IRP Request;

static int Dequeue(PIRP irp)
{
	KIRQL irql;

	IoAcquireCancelSpinLock(&irql);
	if (irp->Cancel)
		return -1;
	IoReleaseCancelSpinLock(irql);
	return 0;
}

int main(void)
{
	Request.Cancel = Ready(0);
	return Dequeue(&Request);
} /* fails: held-at-end */
