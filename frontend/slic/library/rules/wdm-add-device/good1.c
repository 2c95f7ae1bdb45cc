/* Made, attached and ready. */
#include "../wdm.h"

static DRIVER_OBJECT Driver;
static DEVICE_OBJECT Physical;

static NTSTATUS Add(PDRIVER_OBJECT driver, PDEVICE_OBJECT physical)
{
	PDEVICE_OBJECT device, lower;
	NTSTATUS status = IoCreateDevice(driver, 8, 0, 0x22, 0, FALSE, &device);

	if (!NT_SUCCESS(status))
		return status;
	lower = IoAttachDeviceToDeviceStack(device, physical);
	if (!lower) {
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
