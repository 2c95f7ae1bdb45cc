/* The input device is not one that goes by itself. */
#include "rule.h"

int main(void)
{
	struct input_dev *input = input_allocate_device();

	if (!input)
		return 1;
	if (input_register_device(input))
		input_free_device(input);
	return 0;
} /* fails: left-at-end */
