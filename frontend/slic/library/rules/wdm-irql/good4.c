/* A second lock at DISPATCH_LEVEL. */
#include "rule.h"

static KSPIN_LOCK Lock, Other;
static int Event;

int main(void)
{
	KIRQL irql;

	KeAcquireSpinLock(&Lock, &irql);
	KeAcquireSpinLockAtDpcLevel(&Other);
	KeReleaseSpinLockFromDpcLevel(&Other);
	KeReleaseSpinLock(&Lock, irql);
	return 0;
}
