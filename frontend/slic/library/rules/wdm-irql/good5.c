/* The callee restores; the error path as well. */
#include "rule.h"

static KSPIN_LOCK Lock, Other;
static int Event;

static void Leave(KIRQL *old)
{
	KeReleaseSpinLock(&Lock, *old);
}

int main(void)
{
	KIRQL irql;

	KeAcquireSpinLock(&Lock, &irql);
	if (!Ready(0)) {
		Leave(&irql);
		return -1;
	}
	Ready(1);
	Leave(&irql);
	return 0;
}
