/* Not attached. */
#include "../wdm.h"

static DRIVER_OBJECT Driver;
static DEVICE_OBJECT Physical;

static NTSTATUS Add(PDRIVER_OBJECT driver, PDEVICE_OBJECT physical)
{
	PDEVICE_OBJECT device, lower;
	NTSTATUS status = IoCreateDevice(driver, 8, 0, 0x22, 0, FALSE, &device);

	if (!NT_SUCCESS(status))
		return status;
	device->Flags &= ~DO_DEVICE_INITIALIZING;
	if (Ready(0))
		IoAttachDeviceToDeviceStack(device, physical);
	return STATUS_SUCCESS;
}

int main(void)
{
	Add(&Driver, &Physical); /* fails: not-attached */
	return 0;
}
