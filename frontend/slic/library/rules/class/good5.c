/* The callee destroys whatever it gets, error pointers too. */
#include "rule.h"

static void drop(struct class *c)
{
	class_destroy(c);
}

int main(void)
{
	struct class *c = class_create("lamp");

	add_device(0);
	drop(c);
	return 0;
}
