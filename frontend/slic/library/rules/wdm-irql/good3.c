/* In a loop, with an allocation from the pool that stays. */
#include "rule.h"

static KSPIN_LOCK Lock, Other;
static int Event;

int main(void)
{
	KIRQL irql;
	int i;

	for (i = 0; i < 3; i++) {
		KeAcquireSpinLock(&Lock, &irql);
		ExAllocatePoolWithTag(NonPagedPool, 16, 1);
		KeReleaseSpinLock(&Lock, irql);
	}
	ZwClose(0);
	return 0;
}
