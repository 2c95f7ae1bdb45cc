/* Two interfaces; the error path takes the first back. */
#include "rule.h"

static struct miscdevice misc;
static struct input_dev *input;

static int probe(void)
{
	int err = misc_register(&misc);

	if (err)
		return err;
	input = input_allocate_device();
	if (!input) {
		misc_deregister(&misc);
		return -12;
	}
	err = input_register_device(input);
	if (err) {
		input_free_device(input);
		misc_deregister(&misc);
	}
	return err;
}

int main(void)
{
	if (probe())
		return 1;
	input_unregister_device(input);
	misc_deregister(&misc);
	return 0;
}
