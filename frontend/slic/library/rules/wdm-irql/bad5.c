/* The callee allocates memory that may be paged out. */
#include "rule.h"

static KSPIN_LOCK Lock, Other;
static int Event;

static void *Make(POOL_TYPE pool)
{
	return ExAllocatePoolWithTag(pool, 16, 1); /* fails: paged */
}

int main(void)
{
	KIRQL irql;

	Make(PagedPool);
	KeAcquireSpinLock(&Lock, &irql);
	Make(PagedPool);
	KeReleaseSpinLock(&Lock, irql);
	return 0;
}
