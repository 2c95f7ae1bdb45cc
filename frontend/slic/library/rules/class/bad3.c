/* The second one is forgotten. */
#include "rule.h"

static struct class table[2];

int main(void)
{
	int err = class_register(&table[0]);

	if (err < 0)
		return err;
	err = class_register(&table[1]);
	class_unregister(&table[0]);
	return err;
} /* fails: left-at-end */
