/* Two names of the level that is restored. */
#include "rule.h"

static KSPIN_LOCK Lock, Other;
static int Event;

int main(void)
{
	KIRQL a, *p = &a;

	KeRaiseIrql(APC_LEVEL, p);
	ExAllocatePoolWithTag(PagedPool, 16, 1);
	KeLowerIrql(a);
	ZwClose(0);
	return 0;
}
