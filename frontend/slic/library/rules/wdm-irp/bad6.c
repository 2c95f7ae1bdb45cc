/* Both may be the same. */
#include "rule.h"

static DEVICE_OBJECT Lower;
static IRP Request, Other;

static void Cancel(IRP *first, IRP *second)
{
	IoCompleteRequest(first, 0);
	IoCompleteRequest(second, 0); /* fails: double-completion */
}

int main(void)
{
	Cancel(&Request, Ready(0) ? &Other : &Request);
	return 0;
}
