/* The error path leaves the class. */
#include "rule.h"

static struct class *cls;

static int start(void)
{
	cls = class_create("lamp");
	if (IS_ERR(cls))
		return PTR_ERR(cls);
	if (add_device(0) < 0)
		return -5;
	return 0;
}

int main(void)
{
	if (start() == 0)
		class_destroy(cls);
	return 0;
} /* fails: left-at-end */
