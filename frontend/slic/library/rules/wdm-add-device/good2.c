/* No device is wanted. */
#include "../wdm.h"

static DRIVER_OBJECT Driver;
static DEVICE_OBJECT Physical;

static NTSTATUS Add(PDRIVER_OBJECT driver, PDEVICE_OBJECT physical)
{
	PDEVICE_OBJECT device;

	if (!Ready(0))
		return STATUS_SUCCESS;
	if (IoCreateDevice(driver, 8, 0, 0x22, 0, FALSE, &device) < 0)
		return STATUS_INSUFFICIENT_RESOURCES;
	if (!IoAttachDeviceToDeviceStack(device, physical)) {
		IoDeleteDevice(device);
		return STATUS_NO_SUCH_DEVICE;
	}
	device->Flags = DO_BUFFERED_IO;
	return STATUS_SUCCESS;
}

int main(void)
{
	Add(&Driver, &Physical);
	return 0;
}
