/* A completion routine takes the request back. */
#include "rule.h"

static DEVICE_OBJECT Lower;
static IRP Request, Other;

static NTSTATUS Done(DEVICE_OBJECT *device, IRP *irp, void *context)
{
	return (NTSTATUS)0xC0000016L;
}

int main(void)
{
	IoSetCompletionRoutine(&Request, Done, 0, 1, 1, 1);
	if (IoCallDriver(&Lower, &Request) == 259)
		Ready(0);
	IoCompleteRequest(&Request, 0);
	return 0;
}
