/* Completed under the lock. */
#include "rule.h"

static IRP Request;
static DEVICE_OBJECT Device = { 0, &Request };

int main(void)
{
	KIRQL irql;

	KeAcquireSpinLock(&Device.Lock, &irql);
	if (Device.Current)
		IoCompleteRequest(Device.Current, 0); /* fails: completed-locked */
	KeReleaseSpinLock(&Device.Lock, irql);
	return 0;
}
