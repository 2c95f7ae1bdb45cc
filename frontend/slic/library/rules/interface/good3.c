/* An input device that goes by itself. */
#include "rule.h"

static int dev;

int main(void)
{
	struct input_dev *input = devm_input_allocate_device(&dev);

	if (!input)
		return 1;
	return input_register_device(input);
}
