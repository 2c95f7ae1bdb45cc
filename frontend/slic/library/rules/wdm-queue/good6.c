/* An entry that is none of a request is no matter of the rule. */
#include "../wdm.h"

static DEVICE_OBJECT Device, Lower;
static IO_STACK_LOCATION Stack;
static IRP Request, Other;

static LIST_ENTRY Queue;
static KSPIN_LOCK Lock;

static struct { int id; LIST_ENTRY entry; } Item;

static NTSTATUS Read(PDEVICE_OBJECT device, PIRP irp)
{
	InsertTailList(&Queue, &Item.entry);
	IoCompleteRequest(irp, 0);
	return STATUS_SUCCESS;
}

int main(void)
{
	Read(&Device, &Request);
	return 0;
}
