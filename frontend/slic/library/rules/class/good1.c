/* A class is created, and destroyed if its device cannot be added. */
#include "rule.h"

static struct class *cls;

static int start(void)
{
	cls = class_create("lamp");
	if (IS_ERR(cls))
		return PTR_ERR(cls);
	if (add_device(0) < 0) {
		class_destroy(cls);
		return -5;
	}
	return 0;
}

int main(void)
{
	if (start() == 0)
		class_destroy(cls);
	return 0;
}
