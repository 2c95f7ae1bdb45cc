/* The lower driver completes it. */
#include "rule.h"

static DEVICE_OBJECT Lower;
static IRP Request, Other;

int main(void)
{
	if (IoCallDriver(&Lower, &Request) < 0)
		IoCompleteRequest(&Request, 0); /* fails: forwarded */
	return 0;
}
