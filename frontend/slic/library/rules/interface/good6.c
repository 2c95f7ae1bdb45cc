/* Registered again after it was unregistered. */
#include "rule.h"

static struct platform_driver lamp;

int main(void)
{
	int err = __platform_driver_register(&lamp, 0);

	if (err)
		return err;
	platform_driver_unregister(&lamp);
	if (hardware(0) < 0)
		return 0;
	err = __platform_driver_register(&lamp, 0);
	if (!err)
		platform_driver_unregister(&lamp);
	return err;
}
