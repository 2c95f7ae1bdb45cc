/* Marked and kept, or completed. */
#include "../wdm.h"

static DEVICE_OBJECT Device, Lower;
static IO_STACK_LOCATION Stack;
static IRP Request, Other;

static PIRP Current;

static NTSTATUS Read(PDEVICE_OBJECT device, PIRP irp)
{
	if (Ready(0)) {
		IoCompleteRequest(irp, 0);
		return STATUS_SUCCESS;
	}
	IoMarkIrpPending(irp);
	Current = irp;
	return STATUS_PENDING;
}

int main(void)
{
	Read(&Device, &Request);
	Read(&Device, &Other);
	return 0;
}
