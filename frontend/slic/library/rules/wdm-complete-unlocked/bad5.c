/* Only the inner one of two locks is released. */
#include "rule.h"

static IRP Request;
static DEVICE_OBJECT Device = { 0, &Request };

int main(void)
{
	KSPIN_LOCK other, *inner = &other;
	KIRQL a, b;

	KeAcquireSpinLock(&Device.Lock, &a);
	KeAcquireSpinLock(inner, &b);
	KeReleaseSpinLock(inner, b);
	IoStartNextPacket(&Device, 0); /* fails: started-locked */
	KeReleaseSpinLock(&Device.Lock, a);
	return 0;
}
