/* It is unregistered although that failed. */
#include "rule.h"

static struct class lamp = { "lamp" };

int main(void)
{
	int err = class_register(&lamp);

	if (!err)
		add_device(0);
	class_unregister(&lamp); /* fails: double-unregister */
	return err;
}
