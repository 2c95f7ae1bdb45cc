/* The cancel routine completes before it releases the cancel spin lock. */
#include "rule.h"

static IRP Request;
static DEVICE_OBJECT Device = { 0, &Request };

static void Cancel(DEVICE_OBJECT *device, IRP *irp, KIRQL irql)
{
	irp->Status = -1;
	IoCompleteRequest(irp, 0); /* fails: completed-locked */
	IoReleaseCancelSpinLock(irql);
}

int main(void)
{
	KIRQL irql;

	IoAcquireCancelSpinLock(&irql);
	Cancel(&Device, &Request, irql);
	return 0;
}
