/* Taken only if there is something to cancel. */
#include "../wdm.h"

static IRP Request;

int main(void)
{
	KIRQL irql;
	int waiting = Ready(0);

	if (waiting)
		IoAcquireCancelSpinLock(&irql);
	Request.IoStatus.Status = waiting ? STATUS_PENDING : STATUS_SUCCESS;
	if (Request.IoStatus.Status == STATUS_PENDING)
		IoReleaseCancelSpinLock(irql);
	return 0;
}
