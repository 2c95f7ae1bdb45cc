/* It is registered again when it is gone. */
#include "rule.h"

static struct class lamp;

int main(void)
{
	while (add_device(1)) {
		if (class_register(&lamp))
			break;
		class_unregister(&lamp);
	}
	return 0;
}
