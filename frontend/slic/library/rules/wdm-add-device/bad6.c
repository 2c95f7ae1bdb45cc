/* The first device of a loop is forgotten. */
#include "../wdm.h"

static DRIVER_OBJECT Driver;
static DEVICE_OBJECT Physical;

static NTSTATUS Add(PDRIVER_OBJECT driver, PDEVICE_OBJECT physical)
{
	PDEVICE_OBJECT device = 0;
	int i;

	for (i = 0; i < 2; i++)
		if (IoCreateDevice(driver, i, 0, 0x22, 0, FALSE, &device) < 0)
			break;
	if (!device || !IoAttachDeviceToDeviceStack(device, physical)) {
		if (device)
			IoDeleteDevice(device);
		return STATUS_NO_SUCH_DEVICE;
	}
	device->Flags &= ~DO_DEVICE_INITIALIZING;
	return STATUS_SUCCESS;
}

int main(void)
{
	Add(&Driver, &Physical); /* fails: not-deleted */
	return 0;
}
