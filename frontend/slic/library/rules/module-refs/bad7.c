/* The core gives back the reference to the trigger, and not the one that the driver takes after it. */
#include "rule.h"

static struct iio_trigger trigger = { THIS_MODULE };
static struct iio_dev sensor;

int main(void)
{
	sensor.trig = iio_trigger_get(&trigger);
	if (!try_module_get(trigger.owner))
		return -19;
	if (hardware(0) < 0)
		return -5;
	module_put(trigger.owner);
	return 0;
} /* fails: left-at-end */
