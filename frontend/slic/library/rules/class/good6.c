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
	if (add_device(0) == 0)
		class_destroy(d.shared);
	else
		class_destroy(d.mine);
	return 0;
}
