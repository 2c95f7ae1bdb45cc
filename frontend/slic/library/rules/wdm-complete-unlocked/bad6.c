/* The callee completes, and its caller has the lock. */
#include "rule.h"

static IRP Request;
static DEVICE_OBJECT Device = { 0, &Request };

static void Finish(IRP **current)
{
	IRP *irp = *current;

	*current = 0;
	if (irp)
		IoCompleteRequest(irp, 0); /* fails: completed-locked */
}

int main(void)
{
	KIRQL irql;

	KeAcquireSpinLock(&Device.Lock, &irql);
	Finish(&Device.Current);
	KeReleaseSpinLock(&Device.Lock, irql);
	return 0;
}
