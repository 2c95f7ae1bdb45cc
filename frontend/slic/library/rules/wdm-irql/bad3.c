/* In the second round the level is still that of the first. */
#include "rule.h"

static KSPIN_LOCK Lock, Other;
static int Event;

int main(void)
{
	KIRQL irql;
	int i;

	for (i = 0; i < 2; i++) {
		ZwClose(0); /* fails: not-passive */
		if (i == 0)
			KeRaiseIrql(APC_LEVEL, &irql);
	}
	KeLowerIrql(irql);
	return 0;
}
