/* The control device is not ready. */
#include "../wdm.h"

static DRIVER_OBJECT Driver;
static DEVICE_OBJECT Physical;

static PDEVICE_OBJECT Control;

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
	if (IoCreateDevice(driver, 0, 0, 0x22, 0, FALSE, &Control) >= 0)
		Control->DeviceExtension = device;
	return STATUS_SUCCESS;
}

int main(void)
{
	Add(&Driver, &Physical); /* fails: initializing */
	return 0;
}
