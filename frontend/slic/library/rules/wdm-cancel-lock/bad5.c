/* The loop releases it once more than it takes it. */
#include "../wdm.h"

int main(void)
{
	KIRQL irql;
	int i;

	for (i = 0; i < 2; i++) {
		if (i == 0)
			IoAcquireCancelSpinLock(&irql);
		IoReleaseCancelSpinLock(irql); /* fails: double-unlock */
	}
	return 0;
}
