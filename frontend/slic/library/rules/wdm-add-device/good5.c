/* A control device beside it, which is not attached. */
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
	if (IoCreateDevice(driver, 0, 0, 0x22, 0, FALSE, &Control) >= 0)
		Control->Flags &= ~DO_DEVICE_INITIALIZING;
	device->Flags &= ~DO_DEVICE_INITIALIZING;
	return STATUS_SUCCESS;
}

int main(void)
{
	Add(&Driver, &Physical);
	return 0;
}
