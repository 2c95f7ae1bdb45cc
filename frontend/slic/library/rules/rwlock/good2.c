/* A reader calls a function that reads, too. */
#include "rule.h"

static rwlock_t table;

static int one(int key)
{
	int v;

	read_lock(&table);
	v = lookup(key);
	read_unlock(&table);
	return v;
}

int main(void)
{
	int sum;

	read_lock(&table);
	sum = one(1) + one(2);
	read_unlock(&table);
	return sum;
}
