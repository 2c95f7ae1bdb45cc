/* A function that is no entry point marks for its caller. */
#include "../wdm.h"

static DEVICE_OBJECT Device, Lower;
static IO_STACK_LOCATION Stack;
static IRP Request, Other;

static NTSTATUS Start(PDEVICE_OBJECT device, PIRP irp)
{
	if (device->CurrentIrp)
		return STATUS_UNSUCCESSFUL;
	IoMarkIrpPending(irp);
	return STATUS_SUCCESS;
}

static NTSTATUS Read(PDEVICE_OBJECT device, PIRP irp)
{
	NTSTATUS status = Start(device, irp);

	if (!NT_SUCCESS(status)) {
		IoCompleteRequest(irp, 0);
		return status;
	}
	return STATUS_PENDING;
}

int main(void)
{
	return Read(&Device, &Request);
}
