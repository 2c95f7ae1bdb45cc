/* A second round of the loop has the lock of the first. */
#include "rule.h"

static IRP Request;
static DEVICE_OBJECT Device = { 0, &Request };

int main(void)
{
	KIRQL irql;
	int i;

	for (i = 0; i < 2; i++) {
		IoStartNextPacket(&Device, 1); /* fails: started-locked */
		if (i == 0)
			KeAcquireSpinLock(&Device.Lock, &irql);
	}
	KeReleaseSpinLock(&Device.Lock, irql);
	return 0;
}
