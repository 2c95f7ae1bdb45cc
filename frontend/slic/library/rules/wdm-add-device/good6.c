/* The error path by a label, and another name. */
#include "../wdm.h"

static DRIVER_OBJECT Driver;
static DEVICE_OBJECT Physical;

static NTSTATUS Add(PDRIVER_OBJECT driver, PDEVICE_OBJECT physical)
{
	PDEVICE_OBJECT device, lower;
	NTSTATUS status = IoCreateDevice(driver, 8, 0, 0x22, 0, FALSE, &device);

	if (!NT_SUCCESS(status))
		return status;
	PDEVICE_OBJECT same = device;

	status = STATUS_NO_SUCH_DEVICE;
	if (!IoAttachDeviceToDeviceStack(device, physical))
		goto failed;
	same->Flags &= ~DO_DEVICE_INITIALIZING;
	return STATUS_SUCCESS;
failed:
	IoDeleteDevice(same);
	return status;
}

int main(void)
{
	Add(&Driver, &Physical);
	return 0;
}
