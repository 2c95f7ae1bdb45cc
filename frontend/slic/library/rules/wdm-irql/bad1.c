/* It waits with the lock. */
#include "rule.h"

static KSPIN_LOCK Lock, Other;
static int Event;

int main(void)
{
	KIRQL irql;

	KeAcquireSpinLock(&Lock, &irql);
	KeWaitForSingleObject(&Event, 0, 0, 0, 0); /* fails: waiting */
	KeReleaseSpinLock(&Lock, irql);
	return 0;
}
