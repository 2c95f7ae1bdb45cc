/* A cancel routine, as IoCancelIrp calls it. */
#include "../wdm.h"

static IRP Request;

static void Cancel(PDEVICE_OBJECT device, PIRP irp)
{
	IoReleaseCancelSpinLock(irp->CancelIrql);
	IoCompleteRequest(irp, 0);
}

int main(void)
{
	IoAcquireCancelSpinLock(&Request.CancelIrql);
	Cancel(0, &Request);
	return 0;
}
