/* Kept for later. */
#include "../wdm.h"

static DEVICE_OBJECT Device, Lower;
static IO_STACK_LOCATION Stack;
static IRP Request, Other;

static NTSTATUS Write(PDEVICE_OBJECT device, PIRP irp)
{
	IoMarkIrpPending(irp);
	IoStartPacket(device, irp, 0, 0);
	return STATUS_PENDING;
}

int main(void)
{
	return Write(&Device, &Request);
}
