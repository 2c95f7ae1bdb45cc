/* A loop that completes between two locks. */
#include "rule.h"

static IRP Request;
static DEVICE_OBJECT Device = { 0, &Request };

int main(void)
{
	KIRQL irql;

	while (Ready(0)) {
		KeAcquireSpinLock(&Device.Lock, &irql);
		Ready(1);
		KeReleaseSpinLock(&Device.Lock, irql);
		IoCompleteRequest(&Request, 0);
		IoStartNextPacket(&Device, 1);
	}
	return 0;
}
