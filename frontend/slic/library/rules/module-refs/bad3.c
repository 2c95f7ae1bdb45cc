/* The module that is given back is not the owner, which may be none. */
#include "rule.h"

static struct module mine;
static struct file_operations table[2] = { { &mine, hardware }, { 0, hardware } };

static int call(struct file_operations *ops)
{
	int ret;

	if (!try_module_get(ops->owner))
		return -19;
	ret = ops->open(0);
	module_put(&mine); /* fails: below-start */
	return ret;
}

int main(void)
{
	return call(&table[hardware(1) ? 1 : 0]);
}
