/* The error path releases the other kind. */
#include "rule.h"

static rwlock_t table;

static int replace(int key)
{
	read_lock(&table);
	if (lookup(key) < 0) {
		write_unlock(&table); /* fails: write-unlock */
		return -2;
	}
	read_unlock(&table);
	return 0;
}

int main(void)
{
	return replace(1);
}
