/* The routine is taken away under the lock, unless the request is cancelled already. */
#include "../wdm.h"

static IRP Request;

static int Dequeue(PIRP irp)
{
	KIRQL irql;

	IoAcquireCancelSpinLock(&irql);
	if (irp->Cancel) {
		IoReleaseCancelSpinLock(irql);
		return -1;
	}
	IoSetCancelRoutine(irp, 0);
	IoReleaseCancelSpinLock(irql);
	return 0;
}

int main(void)
{
	Request.Cancel = Ready(0);
	return Dequeue(&Request);
}
