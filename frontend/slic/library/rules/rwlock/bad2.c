/* The writer calls a function that reads. */
#include "rule.h"

static rwlock_t table;

static int one(int key)
{
	int v;

	read_lock(&table); /* fails: read-while-writing */
	v = lookup(key);
	read_unlock(&table);
	return v;
}

int main(void)
{
	int v;

	write_lock(&table);
	v = one(1);
	write_unlock(&table);
	return v;
}
