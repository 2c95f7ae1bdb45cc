/* The request is taken under the lock, and completed after it. */
#include "rule.h"

static IRP Request;
static DEVICE_OBJECT Device = { 0, &Request };

int main(void)
{
	KIRQL irql;
	IRP *irp;

	KeAcquireSpinLock(&Device.Lock, &irql);
	irp = Device.Current;
	Device.Current = 0;
	KeReleaseSpinLock(&Device.Lock, irql);
	if (irp)
		IoCompleteRequest(irp, 0);
	return 0;
}
