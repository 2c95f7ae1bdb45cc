/* The callee takes it again. */
#include "../wdm.h"

static void Flush(void)
{
	KIRQL irql;

	IoAcquireCancelSpinLock(&irql); /* fails: double-lock */
	IoReleaseCancelSpinLock(irql);
}

int main(void)
{
	KIRQL irql;

	IoAcquireCancelSpinLock(&irql);
	if (Ready(0))
		Flush();
	IoReleaseCancelSpinLock(irql);
	return 0;
}
