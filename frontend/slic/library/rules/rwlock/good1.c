/* Readers look something up, a writer adds what is missing. */
#include "rule.h"

static rwlock_t table;

static int find(int key)
{
	int v;

	read_lock(&table);
	v = lookup(key);
	read_unlock(&table);
	return v;
}

int main(void)
{
	if (find(1) < 0) {
		write_lock(&table);
		lookup(1);
		write_unlock(&table);
	}
	return 0;
}
