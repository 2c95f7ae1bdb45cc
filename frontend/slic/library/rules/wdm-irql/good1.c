/* The lock restores the level; then it waits. */
#include "rule.h"

static KSPIN_LOCK Lock, Other;
static int Event;

int main(void)
{
	KIRQL irql;

	KeAcquireSpinLock(&Lock, &irql);
	Ready(0);
	KeReleaseSpinLock(&Lock, irql);
	KeWaitForSingleObject(&Event, 0, 0, 0, 0);
	return 0;
}
