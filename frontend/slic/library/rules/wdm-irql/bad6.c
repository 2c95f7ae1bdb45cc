/* The levels of two locks are exchanged. */
#include "rule.h"

static KSPIN_LOCK Lock, Other;
static int Event;

int main(void)
{
	KIRQL outer, inner, *p = &outer;

	KeAcquireSpinLock(&Lock, &outer);
	KeAcquireSpinLock(&Other, &inner);
	KeReleaseSpinLock(&Other, *p);
	KeReleaseSpinLock(&Lock, inner); /* fails: not-at-dispatch */
	return 0;
}
