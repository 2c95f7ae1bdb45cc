/* The core gives the reference to the trigger back when the device goes. */
#include "rule.h"

static struct iio_trigger trigger = { THIS_MODULE };
static struct iio_dev sensor;

int main(void)
{
	sensor.trig = iio_trigger_get(&trigger);
	if (hardware(0) < 0) {
		iio_trigger_put(sensor.trig);
		sensor.trig = 0;
		return -5;
	}
	return 0;
}
