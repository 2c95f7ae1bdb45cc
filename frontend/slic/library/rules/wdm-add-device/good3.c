/* The callee clears the flag. */
#include "../wdm.h"

static DRIVER_OBJECT Driver;
static DEVICE_OBJECT Physical;

static void Open(PDEVICE_OBJECT device)
{
	device->Flags |= DO_BUFFERED_IO;
	device->Flags &= ~DO_DEVICE_INITIALIZING;
}

static NTSTATUS Add(PDRIVER_OBJECT driver, PDEVICE_OBJECT physical)
{
	PDEVICE_OBJECT device, lower;
	NTSTATUS status = IoCreateDevice(driver, 8, 0, 0x22, 0, FALSE, &device);

	if (!NT_SUCCESS(status))
		return status;
	lower = IoAttachDeviceToDeviceStack(device, physical);
	if (lower) {
		Open(device);
		return STATUS_SUCCESS;
	}
	IoDeleteDevice(device);
	return STATUS_NO_SUCH_DEVICE;
}

int main(void)
{
	Add(&Driver, &Physical);
	return 0;
}
