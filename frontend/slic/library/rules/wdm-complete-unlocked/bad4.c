/* The error path still has the lock. */
#include "rule.h"

static IRP Request;
static DEVICE_OBJECT Device = { 0, &Request };

int main(void)
{
	KIRQL irql;

	KeAcquireSpinLock(&Device.Lock, &irql);
	if (!Ready(0))
		goto done;
	KeReleaseSpinLock(&Device.Lock, irql);
	return 0;
done:
	IoCompleteRequest(&Request, 0); /* fails: completed-locked */
	KeReleaseSpinLock(&Device.Lock, irql);
	return -1;
}
