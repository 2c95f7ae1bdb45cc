/* IoCancelIrp after the release, by another name of the request. */
#include "../wdm.h"

static IRP Request;

static void Abandon(PIRP irp)
{
	KIRQL irql;

	IoAcquireCancelSpinLock(&irql);
	IoSetCancelRoutine(irp, 0);
	IoReleaseCancelSpinLock(irql);
	IoCancelIrp(irp);
}

int main(void)
{
	PIRP same = &Request;

	if (Ready(0))
		Abandon(same);
	return 0;
}
