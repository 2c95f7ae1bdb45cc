/* Two names of the class that is created. */
#include "rule.h"

struct driver { struct class *mine, *shared; };

int main(void)
{
	struct driver d;

	d.mine = class_create("lamp");
	d.shared = d.mine;
	if (IS_ERR(d.mine))
		return -12;
	class_destroy(d.mine);
	class_destroy(d.shared); /* fails: double-destroy */
	return 0;
}
