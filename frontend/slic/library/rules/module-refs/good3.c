/* The owner of an operation table, which may be none. */
#include "rule.h"

static struct module other;
static struct file_operations table[2] = { { &other, hardware }, { 0, hardware } };

static int call(struct file_operations *ops)
{
	int ret;

	if (!try_module_get(ops->owner))
		return -19;
	ret = ops->open(0);
	module_put(ops->owner);
	return ret;
}

int main(void)
{
	return call(&table[0]) + call(&table[1]);
}
