/* The cancel routine releases the cancel spin lock first. */
#include "rule.h"

static IRP Request;
static DEVICE_OBJECT Device = { 0, &Request };

static void Cancel(DEVICE_OBJECT *device, IRP *irp, KIRQL irql)
{
	IoReleaseCancelSpinLock(irql);
	irp->Status = -1;
	IoCompleteRequest(irp, 0);
}

int main(void)
{
	KIRQL irql;

	IoAcquireCancelSpinLock(&irql);
	Cancel(&Device, &Request, irql);
	return 0;
}
