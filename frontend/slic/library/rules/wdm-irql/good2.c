/* Raised and lowered; a wait for no time at all. */
#include "rule.h"

static KSPIN_LOCK Lock, Other;
static int Event;

int main(void)
{
	LARGE_INTEGER none = { 0 };
	KIRQL irql = KfRaiseIrql(DISPATCH_LEVEL);

	KeWaitForSingleObject(&Event, 0, 0, 0, &none);
	KeLowerIrql(irql);
	return 0;
}
