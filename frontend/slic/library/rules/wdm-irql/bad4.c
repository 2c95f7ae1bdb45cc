/* The function that does not raise the level is called at PASSIVE_LEVEL. */
#include "rule.h"

static KSPIN_LOCK Lock, Other;
static int Event;

int main(void)
{
	KSPIN_LOCK *l = Ready(0) ? &Lock : &Other;

	KeAcquireSpinLockAtDpcLevel(l); /* fails: not-at-dispatch */
	KeReleaseSpinLockFromDpcLevel(l);
	return 0;
}
