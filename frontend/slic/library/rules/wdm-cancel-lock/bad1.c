/* The cancel routine keeps the lock. */
#include "../wdm.h"

static IRP Request;

static void Cancel(PDEVICE_OBJECT device, PIRP irp)
{
	if (!irp->Cancel)
		return;
	IoReleaseCancelSpinLock(irp->CancelIrql);
}

int main(void)
{
	IoAcquireCancelSpinLock(&Request.CancelIrql);
	Cancel(0, &Request);
	return 0;
} /* fails: held-at-end */
