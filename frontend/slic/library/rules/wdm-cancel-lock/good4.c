/* The callee releases it on both ways. */
#include "../wdm.h"

static void Release(int done, KIRQL *irql)
{
	if (done) {
		IoReleaseCancelSpinLock(*irql);
		return;
	}
	Ready(1);
	IoReleaseCancelSpinLock(*irql);
}

int main(void)
{
	KIRQL irql, *level = &irql;

	IoAcquireCancelSpinLock(level);
	Release(Ready(0), &irql);
	return 0;
}
