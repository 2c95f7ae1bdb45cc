/* Two locks, one within the other. */
#include "rule.h"

static IRP Request;
static DEVICE_OBJECT Device = { 0, &Request };

int main(void)
{
	KSPIN_LOCK other, *inner = &other;
	KIRQL a, b;

	KeAcquireSpinLock(&Device.Lock, &a);
	KeAcquireSpinLock(inner, &b);
	KeReleaseSpinLock(&other, b);
	KeReleaseSpinLock(&Device.Lock, a);
	IoStartNextPacket(&Device, 0);
	return 0;
}
