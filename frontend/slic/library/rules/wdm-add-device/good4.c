/* A loop until there is a device. */
#include "../wdm.h"

static DRIVER_OBJECT Driver;
static DEVICE_OBJECT Physical;

static NTSTATUS Add(PDRIVER_OBJECT driver, PDEVICE_OBJECT physical)
{
	PDEVICE_OBJECT device;
	int i;

	for (i = 0; i < 3; i++)
		if (IoCreateDevice(driver, i, 0, 0x22, 0, FALSE, &device) >= 0)
			goto made;
	return STATUS_INSUFFICIENT_RESOURCES;
made:
	if (!IoAttachDeviceToDeviceStack(device, physical)) {
		IoDeleteDevice(device);
		return STATUS_NO_SUCH_DEVICE;
	}
	device->Flags &= ~DO_DEVICE_INITIALIZING;
	return STATUS_SUCCESS;
}

int main(void)
{
	Add(&Driver, &Physical);
	return 0;
}
