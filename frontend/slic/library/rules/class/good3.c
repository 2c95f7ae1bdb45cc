/* Two classes in a table; what was registered is undone in reverse. */
#include "rule.h"

static struct class table[2];

int main(void)
{
	int err = class_register(&table[0]);

	if (err < 0)
		return err;
	err = class_register(&table[1]);
	if (err < 0)
		goto first;
	class_unregister(&table[1]);
first:
	class_unregister(&table[0]);
	return err;
}
