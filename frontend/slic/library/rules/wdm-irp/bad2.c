/* The caller completes what its callee has completed. */
#include "rule.h"

static DEVICE_OBJECT Lower;
static IRP Request, Other;

static NTSTATUS Check(IRP *irp)
{
	if (Ready(0))
		return 0;
	IoCompleteRequest(irp, 0);
	return -5;
}

int main(void)
{
	Check(&Request);
	IoCompleteRequest(&Request, 0); /* fails: double-completion */
	return 0;
}
