/* Released and taken again in a loop. */
#include "../wdm.h"

static IRP Request;

int main(void)
{
	KIRQL irql;
	int i;

	IoAcquireCancelSpinLock(&irql);
	for (i = 0; i < 3 && Ready(i); i++) {
		IoReleaseCancelSpinLock(irql);
		IoCancelIrp(&Request);
		IoAcquireCancelSpinLock(&irql);
	}
	IoReleaseCancelSpinLock(irql);
	return 0;
}
