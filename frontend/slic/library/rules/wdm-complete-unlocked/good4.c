/* The error path releases, too. */
#include "rule.h"

static IRP Request;
static DEVICE_OBJECT Device = { 0, &Request };

int main(void)
{
	KIRQL irql;

	KeAcquireSpinLock(&Device.Lock, &irql);
	if (!Ready(0)) {
		KeReleaseSpinLock(&Device.Lock, irql);
		goto done;
	}
	Ready(1);
	KeReleaseSpinLock(&Device.Lock, irql);
done:
	IoCompleteRequest(&Request, 0);
	return 0;
}
