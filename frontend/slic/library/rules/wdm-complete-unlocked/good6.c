/* A flag tells whether there is something to complete. */
#include "rule.h"

static IRP Request;
static DEVICE_OBJECT Device = { 0, &Request };

int main(void)
{
	KIRQL irql;
	int complete = 0;

	KeAcquireSpinLock(&Device.Lock, &irql);
	if (Ready(0))
		complete = 1;
	KeReleaseSpinLock(&Device.Lock, irql);
	if (complete)
		IoCompleteRequest(Device.Current, 0);
	return 0;
}
