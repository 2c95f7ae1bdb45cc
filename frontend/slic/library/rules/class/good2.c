/* A class of the program is registered. */
#include "rule.h"

static struct class lamp = { "lamp" };

int main(void)
{
	int err = class_register(&lamp);

	if (err)
		return err;
	add_device(0);
	class_unregister(&lamp);
	return 0;
}
