/* The error path does not lower the level. */
#include "rule.h"

static KSPIN_LOCK Lock, Other;
static int Event;

int main(void)
{
	KIRQL irql;

	KeRaiseIrql(DISPATCH_LEVEL, &irql);
	if (!Ready(0))
		return -1;
	KeLowerIrql(irql);
	return 0;
} /* fails: raised-at-end */
