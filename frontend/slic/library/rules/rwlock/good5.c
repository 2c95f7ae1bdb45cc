/* An error path for each kind. */
#include "rule.h"

static rwlock_t table;

static int replace(int key)
{
	int err = -2;

	read_lock(&table);
	if (lookup(key) < 0)
		goto out;
	read_unlock(&table);
	write_lock(&table);
	err = lookup(key);
	write_unlock(&table);
	return err;
out:
	read_unlock(&table);
	return err;
}

int main(void)
{
	return replace(1);
}
